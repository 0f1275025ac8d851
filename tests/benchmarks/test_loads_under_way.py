"""What is read out of SASS: loops, and the loads in them that follow from loads."""

from __future__ import annotations

from benchmarks.loads_under_way import chains_of, loops_of, under_way

SASS = """
	.section	.text._Z4pullv,"ax",@progbits
        /*0000*/                   LDG.E.CONSTANT R2, desc[UR8][R10.64] ;
.L_x_1:
        /*0010*/                   IADD3 R20, R20, 0x1, RZ ;
.L_x_2:
        /*0020*/                   LDG.E.CONSTANT R15, desc[UR8][R14.64] ;
        /*0030*/                   IMAD.WIDE R16, R15, 0x4, R12 ;
        /*0040*/                   LDG.E.STRONG.GPU R16, desc[UR8][R16.64] ;
        /*0050*/                   FADD R5, R16, R5 ;
        /*0060*/              @!P1 BRA `(.L_x_2) ;
.L_x_3:
        /*0070*/                   LDG.E.CONSTANT R22, desc[UR8][R14.64] ;
        /*0080*/                   LDG.E.CONSTANT R18, desc[UR8][R14.64+0x80] ;
        /*0090*/                   IMAD.WIDE R16, R22, 0x4, R12 ;
        /*00a0*/                   IMAD.WIDE R18, R18, 0x4, R12 ;
        /*00b0*/                   LDG.E R16, desc[UR8][R16.64] ;
        /*00c0*/                   LDG.E R18, desc[UR8][R18.64] ;
        /*00d0*/                   FADD R5, R16, R5 ;
        /*00e0*/                   FADD R5, R18, R5 ;
        /*00f0*/              @!P1 BRA `(.L_x_3) ;
        /*0100*/              @!P0 BRA `(.L_x_1) ;
        /*0110*/               @P0 BRA `(.L_x_4) ;
.L_x_4:
        /*0120*/                   EXIT ;
	.section	.text._Z4copyv,"ax",@progbits
.L_x_5:
        /*0000*/                   LDG.E R2, desc[UR8][R10.64] ;
        /*0010*/                   IADD3 R2, R4, 0x1, RZ ;
        /*0020*/                   LDG.E R6, desc[UR8][R2.64] ;
        /*0030*/              @!P1 BRA `(.L_x_5) ;
	.section	.nv.info,"",@"SHT_CUDA_INFO"
"""


def test_loops_have_no_other_one_inside() -> None:
    loops = loops_of(SASS)
    assert {kernel: [len(loop) for loop in of_kernel] for kernel, of_kernel in loops.items()} == {
        "_Z4pullv": [5, 9],
        "_Z4copyv": [4],
    }


def test_chains_are_loads_from_addresses_that_were_loaded() -> None:
    loops = loops_of(SASS)
    assert [chains_of(loop) for loop in loops["_Z4pullv"]] == [1, 2]
    assert [chains_of(loop) for loop in loops["_Z4copyv"]] == [
        0
    ]  # what was loaded is gone when its register is an address


def test_loads_are_under_way_until_one_is_needed() -> None:
    assert under_way(loops_of(SASS)["_Z4pullv"]) == (4, 0.5)  # one follows the first load of each pair
