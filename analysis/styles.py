"""What a program's name says about its style: the only place where the analysis reads names."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

AXES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "algorithm": ("bfs", "sssp", "cc", "mis", "pr", "tc"),
        "model": ("cuda", "openmp", "cpp"),
        "iteration": ("vertex", "edge"),
        "driver": ("topology", "data"),
        "worklist": ("dup", "nodup"),
        "flow": ("push", "pull"),
        "update": ("rw", "rmw"),
        "determinism": ("det", "copydet", "mergedet", "nondet"),
        "persistence": ("nonpersistent", "persistent"),
        "granularity": ("thread", "warp", "block"),
        "atomics": ("atomic", "cudaatomic"),
        "reduction": ("globaladd", "blockadd", "reductionadd", "atomicred", "criticalred", "clausered"),
        "schedule": ("default", "dynamic", "blocked", "cyclic"),
        "datatype": ("i32", "i64", "f32", "f64"),
    }
)
"""Every axis in name order, with its values in the order in which figures show them."""

_AXIS_OF = {value: axis for axis, values in AXES.items() for value in values}
_RANK = {axis: rank for rank, axis in enumerate(AXES)}


@cache
def style_of(name: str) -> Mapping[str, str]:
    """Returns the style that a program's name spells: axis to value, in name order, absent axes left out.

    Args:
        name: A program name such as ``bfs-openmp-vertex-topology-push-rmw-nondet-default-i32``.

    Raises:
        ValueError: A token belongs to no axis, or the tokens are not in name order, or the name does not begin with an
            algorithm and a model.
    """
    style: dict[str, str] = {}
    last = -1
    for token in name.split("-"):
        axis = _AXIS_OF.get(token)
        if axis is None:
            raise ValueError(f"{name!r} is not a program name: no axis has the value {token!r}")
        if _RANK[axis] <= last:
            raise ValueError(f"{name!r} is not a program name: {token!r} is out of place")
        style[axis] = token
        last = _RANK[axis]
    if not {"algorithm", "model"} <= style.keys():
        raise ValueError(f"{name!r} is not a program name: it names no algorithm or no model")
    return MappingProxyType(style)
