"""Reads SASS as nvdisasm prints it."""

from __future__ import annotations

import pytest

from benchmarks.loads_under_way import blocks_of, name_of, registers_of, under_way

KERNEL = "_ZN33_GLOBAL__N__7e4d10f7_5_pr_cu_main4pullENS_5StateE"


def sass(*lines: str, kernel: str = KERNEL) -> str:
    """Returns what nvdisasm prints of a kernel with these instructions and labels."""
    body = [line if line.endswith(":") else f"        /*00a0*/                   {line} ;" for line in lines]
    return "\n".join([f'\t.section\t.text.{kernel},"ax",@progbits', f"{kernel}:", *body, "\t.section\t.nv.info", ""])


ALL_FIRST = ("LDG.E R4, desc[UR6][R2.64]", "LDG.E R5, desc[UR6][R2.64+0x4]", "FADD R6, R4, R5")
ONE_BY_ONE = ("LDG.E R4, desc[UR6][R2.64]", "FADD R6, R6, R4", "LDG.E R5, desc[UR6][R2.64+0x4]", "FADD R6, R6, R5")


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (ALL_FIRST, (2, 0.5)),
        (ONE_BY_ONE, (2, 0.0)),
        (("LDG.E R4, desc[UR6][R2.64]", "LDG.E R5, desc[UR6][R4.64]"), (2, 0.0)),  # an address is needed, too
        (("LDG.E R5, desc[UR6][R2.64]", "LDG.E R7, desc[UR6][R4.64]", "FADD R6, R7, R5"), (2, 0.0)),  # R4.64 has R5
        (("LDG.E R4, desc[UR6][R2.64]", "@P1 LDG.E R5, desc[UR6][R2.64+0x4]", "FADD R6, R4, R5"), (2, 0.5)),
        (("LDG.E R4, desc[UR6][R2.64]", "STG.E desc[UR6][R8.64], R4", "LDG.E R5, desc[UR6][R2.64]"), (2, 0.0)),
        ((*ALL_FIRST[:2], "@P0 BRA `(.L_x_1)", ALL_FIRST[2]), (2, 0.5)),
        (("LDG.E R4, desc[UR6][R2.64]", ".L_x_1:", *ALL_FIRST), (2, 0.5)),
        (("FADD R6, R4, R5",), (0, 0.0)),
    ],
)
def test_loads_before_one_is_needed_are_counted(lines: tuple[str, ...], found: tuple[int, float]) -> None:
    assert under_way(blocks_of(sass(*lines))[KERNEL]) == found


def test_kernels_have_blocks_of_their_own() -> None:
    fill = "_ZN6violet3gpu4fillIjEEvPT_mS2_"
    kernels = blocks_of(sass(*ALL_FIRST) + sass("LDG.E R4, desc[UR6][R2.64]", kernel=fill))
    assert {name_of(kernel): under_way(blocks)[0] for kernel, blocks in kernels.items()} == {"pull": 2, "fill": 1}


def test_instances_of_a_template_are_kernels_of_their_own() -> None:
    four, five = (f"_ZN33_GLOBAL__N__7e4d10f7_5_pr_cu_main13count_matchesILi{size}EEEvNS_5StateE" for size in (4, 5))
    assert list(blocks_of(sass(*ALL_FIRST, kernel=four) + sass(*ONE_BY_ONE, kernel=five))) == [four, five]
    assert name_of(four) == name_of(five) == "count_matches"


def test_registers_are_those_of_the_kernel() -> None:
    said = f"""ptxas info    : Compiling entry function '{KERNEL}' for 'sm_90'
ptxas info    : Function properties for {KERNEL}
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers
ptxas info    : Compiling entry function 'plain' for 'sm_90'
ptxas info    : Used 8 registers
"""
    assert name_of("plain") == "plain"
    assert registers_of(said) == {KERNEL: 32, "plain": 8}
