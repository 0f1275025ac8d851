"""What Gunrock and SIMD-X found, claim by claim, with the checks that our data is put to; see `claims`.

Both papers measured whole systems. These checks are of their strategies one at a time, in programs that agree in all
else.
"""

from analysis.judged.claims import Claim
from analysis.judged.ratio_checks import Median, Where

EVEN = "even shares of edges over rows by class"
HYBRID = "hybrid over push"
ORIENTED = "oriented edges over all edges"
BALLOT = "bins or ballot over ballot"
BINS = "bins or ballot over one atomic per item"
SELECTIVE = "one kernel per direction over one kernel for all rounds"
SELECTIVE_OVER_NONE = "one kernel per direction over one launch per round"
FUSED = "one kernel for all rounds over one launch per round"
LOOK = "look before writing over read-modify-write"


def _cuda(algorithm: str = "", degree: str = "") -> Where:
    where = {"model": "cuda", "algorithm": algorithm, "degree": degree}
    return {column: value for column, value in where.items() if value}


LATER = (
    Claim(
        "G1",
        "Even edges or rows by class",
        "Gunrock, 5.1.3 and 7.4",
        "Where degrees are high, dealing out edges evenly beats classes of rows; on meshes it is the other way round.",
        Median(EVEN, _cuda(degree="high"), low=1.0),
        (Median(EVEN, _cuda(degree="low"), high=1.0),),
    ),
    Claim(
        "G2",
        "Searches that change their direction",
        "Gunrock, 5.1.4 and 7.4",
        "A direction-optimised BFS gains on graphs with high degrees.",
        Median(HYBRID, _cuda("bfs", "high"), low=1.0),
        (Median(HYBRID, _cuda("bfs", "low"), high=1.1),),
    ),
    Claim(
        "G3",
        "Triangles by oriented edges",
        "Gunrock, 7.6",
        "Keeping each edge at one end gains on scale-free graphs, and costs on roads.",
        Median(ORIENTED, _cuda("tc", "high"), low=1.0),
        (Median(ORIENTED, _cuda("tc", "low"), high=1.0),),
    ),
    Claim(
        "S1",
        "Bins that switch to a ballot, or the ballot alone",
        "SIMD-X, 7.2",
        "Just-in-time control is 16 times as fast for BFS, and 4.5 times for SSSP.",
        Median(BALLOT, _cuda(), low=4.0),
        (Median(BALLOT, _cuda("bfs"), low=10.0), Median(BALLOT, _cuda("sssp"), low=4.0)),
    ),
    Claim(
        "S2",
        "Bins or an atomic operation for each item",
        "SIMD-X, 8",
        "Appending to a global list by atomic operations is orders of magnitude slower than bins.",
        Median(BINS, _cuda(), low=10.0),
        (Median(BINS, _cuda("bfs"), low=10.0),),
    ),
    Claim(
        "S3",
        "A kernel for each direction or one for all",
        "SIMD-X, 5 and 7.2",
        "Fusing rounds of one direction only is 25 % faster than fusing all, 55 % for BFS.",
        Median(SELECTIVE, _cuda(), low=1.0),
        (Median(SELECTIVE, _cuda("bfs"), low=1.0),),
    ),
    Claim(
        "S4",
        "A kernel for each direction or a launch for each round",
        "SIMD-X, 5 and 7.2",
        "Fusing rounds of one direction is 43 % faster than launching each, 74 % for BFS and 66 % for SSSP.",
        Median(SELECTIVE_OVER_NONE, _cuda(), low=1.0),
        (
            Median(SELECTIVE_OVER_NONE, _cuda("bfs", "low"), low=1.0),
            Median(SELECTIVE_OVER_NONE, _cuda("sssp"), low=1.0),
        ),
    ),
    Claim(
        "S5",
        "Rounds in one kernel, for cores",
        "SIMD-X, 7.2",
        "Fusion makes k-core 85 % faster.",
        Median(FUSED, _cuda("kcore"), low=1.0),
        (Median(FUSED, _cuda("kcore"), low=1.5),),
    ),
    Claim(
        "S6",
        "Neighbours below k are left alone",
        "SIMD-X, 7.1",
        "A vertex that has fewer than k neighbours already need not be told that it has lost one more.",
        Median(LOOK, _cuda("kcore"), low=1.0),
        (),
    ),
)
