import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inputs.hashing import mix64, random_bits

words = st.integers(0, 2**64 - 1)


def scalar_mix(x: int) -> int:
    mask = 2**64 - 1
    x ^= x >> 33
    x = x * 0xFF51AFD7ED558CCD & mask
    x ^= x >> 33
    x = x * 0xC4CEB9FE1A85EC53 & mask
    return x ^ x >> 33


@given(st.lists(words))
def test_mix64_is_the_murmur3_finaliser(values: list[int]) -> None:
    assert mix64(np.array(values, dtype=np.uint64)).tolist() == [scalar_mix(x) for x in values]


@given(st.integers(), st.integers(0, 100), st.integers(0, 50), st.integers(0, 50))
def test_a_number_depends_on_its_index_only(seed: int, stream: int, cut: int, length: int) -> None:
    index = np.arange(length, dtype=np.uint64)
    parts = [random_bits(seed, stream, index[:cut]), random_bits(seed, stream, index[cut:])]
    assert np.array_equal(np.concatenate(parts), random_bits(seed, stream, index))


def test_streams_and_seeds_differ() -> None:
    index = np.arange(1000, dtype=np.uint64)
    drawn = [random_bits(seed, stream, index) for seed in range(10) for stream in range(10)]
    assert len(np.unique(drawn)) == 100 * 1000


def test_every_bit_is_set_half_of_the_time() -> None:
    words_drawn = random_bits(7, 0, np.arange(100_000, dtype=np.uint64))
    bits = np.unpackbits(words_drawn.view(np.uint8).reshape(-1, 8), axis=1)
    assert abs(bits.mean(axis=0) - 0.5).max() < 0.01


def test_numbers_are_pinned() -> None:
    expected = [18335976081747107617, 2968406379843219658, 12363078434114558716]
    assert random_bits(1, 0, np.arange(3, dtype=np.uint64)).tolist() == expected
