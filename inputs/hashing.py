"""Counter-based random numbers: a value is a function of (seed, stream, index) and of nothing else.

No generator state means no order: the same numbers come out on every machine, however the indices are split into
chunks or threads. The functions use only operators that numpy and cupy arrays share, so they run on either.
"""

import numpy as np
from numpy.typing import NDArray

U64 = NDArray[np.uint64]

_WORD = (1 << 64) - 1
_GOLDEN_RATIO = 0x9E3779B97F4A7C15  # 2^64 / phi, odd: successive multiples are spread evenly over the 64-bit words


def mix64(x: U64) -> U64:
    """Scrambles 64-bit words **in place** so that every input bit flips every output bit with probability 1/2.

    This is the finaliser of MurmurHash3 (Austin Appleby, public domain). It is a bijection, and it is written a second
    time in C++ in the programs' graph loader: the two must stay equal.

    Args:
        x: uint64 words, shape (k,); overwritten.

    Returns:
        `x` itself.
    """
    x ^= x >> np.uint64(33)
    x *= np.uint64(0xFF51AFD7ED558CCD)
    x ^= x >> np.uint64(33)
    x *= np.uint64(0xC4CEB9FE1A85EC53)
    x ^= x >> np.uint64(33)
    return x


def random_bits(seed: int, stream: int, index: U64) -> U64:
    """Returns the random 64-bit words numbered `index` of one stream, as SplitMix64 would if it could jump.

    A stream is one independent sequence of a seed: give each use of random numbers its own.

    Args:
        seed: any integer; taken modulo 2^64.
        stream: any integer; taken modulo 2^64.
        index: positions in the stream, uint64, shape (k,).

    Returns:
        Uniform words, uint64, shape (k,); a new array.

    Source:
        G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
        doi 10.1145/2660193.2660195.
    """
    words = index * np.uint64(_GOLDEN_RATIO)
    words += np.uint64(_stream_start(seed, stream))
    return mix64(words)


def _stream_start(seed: int, stream: int) -> int:
    """Places the streams of all seeds at unrelated points of the 64-bit cycle."""
    key = mix64(np.array([(seed + _GOLDEN_RATIO) & _WORD], dtype=np.uint64))
    key += np.uint64((stream * _GOLDEN_RATIO) & _WORD)
    return int(mix64(key)[0])
