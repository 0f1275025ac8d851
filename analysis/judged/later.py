"""What Gunrock, SIMD-X and multi-GPU Gunrock found, claim by claim, with the checks that data is put to; see `claims`.

The papers measured whole systems. These checks are of their strategies one at a time, in programs that agree in all
else.
"""

from analysis.judged.claims import NEAR, Claim
from analysis.judged.evidence import ABOUT
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
BIASED = "parts beside neighbours over random parts"
COPIES = "copies of all vertices over copies of neighbours"
LONG_NUMBERS = "64-bit edge numbers over 32-bit numbers"
EARLY = "border sent early over all sent at the end"
PEERS = "copies between GPUs over copies through the host"
EVENTS = "events over waits of the host"


def _cuda(algorithm: str = "", degree: str = "") -> Where:
    where = {"model": "cuda", "algorithm": algorithm, "degree": degree}
    return {column: value for column, value in where.items() if value}


def _several(algorithm: str = "") -> Where:
    return {"model": "multigpu", **({"algorithm": algorithm} if algorithm else {})}


LATER = (
    Claim(
        "G1",
        "Even edges or rows by class",
        "Gunrock, 5.1.3 and 7.4",
        "Where degrees are high, dealing out edges evenly beats classes of rows; on meshes it is the other way round.",
        (Median(EVEN, _cuda(degree="high"), low=1.0),),
        (Median(EVEN, _cuda(degree="low"), high=1.0),),
    ),
    Claim(
        "G2",
        "Searches that change their direction",
        "Gunrock, 5.1.4 and 7.4",
        "A direction-optimised BFS gains on graphs with high degrees.",
        (Median(HYBRID, _cuda("bfs", "high"), low=1.0),),
        (Median(HYBRID, _cuda("bfs", "low"), high=1.1),),
    ),
    Claim(
        "G3",
        "Triangles by oriented edges",
        "Gunrock, 7.6",
        "Keeping each edge at one end gains on scale-free graphs, and costs on roads.",
        (Median(ORIENTED, _cuda("tc", "high"), low=1.0),),
        (Median(ORIENTED, _cuda("tc", "low"), high=1.0),),
    ),
    Claim(
        "S1",
        "Bins that switch to a ballot, or the ballot alone",
        "SIMD-X, 7.2",
        "Just-in-time control is 16 times as fast for BFS, and 4.5 times for SSSP.",
        (Median(BALLOT, _cuda(), low=4.0),),
        (Median(BALLOT, _cuda("bfs"), low=10.0), Median(BALLOT, _cuda("sssp"), low=4.0)),
    ),
    Claim(
        "S2",
        "Bins or an atomic operation for each item",
        "SIMD-X, 8",
        "Appending to a global list by atomic operations is orders of magnitude slower than bins.",
        (Median(BINS, _cuda(), low=10.0),),
        (Median(BINS, _cuda("bfs"), low=10.0),),
    ),
    Claim(
        "S3",
        "A kernel for each direction or one for all",
        "SIMD-X, 5 and 7.2",
        "Fusing rounds of one direction only is 25 % faster than fusing all, 55 % for BFS.",
        (Median(SELECTIVE, _cuda(), low=1.0),),
        (Median(SELECTIVE, _cuda("bfs"), low=1.0),),
    ),
    Claim(
        "S4",
        "A kernel for each direction or a launch for each round",
        "SIMD-X, 5 and 7.2",
        "Fusing rounds of one direction is 43 % faster than launching each, 74 % for BFS and 66 % for SSSP.",
        (Median(SELECTIVE_OVER_NONE, _cuda(), low=1.0),),
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
        (Median(FUSED, _cuda("kcore"), low=1.0),),
        (Median(FUSED, _cuda("kcore"), low=1.5),),
    ),
    Claim(
        "S6",
        "Neighbours below k are left alone",
        "SIMD-X, 7.1",
        "A vertex that has fewer than k neighbours already need not be told that it has lost one more.",
        (Median(LOOK, _cuda("kcore"), low=1.0),),
        (),
    ),
    Claim(
        "M1",
        "Random parts or parts beside neighbours",
        "Multi-GPU, V-C",
        "Parts that are biased towards neighbours perform very close to random ones.",
        (Median(BIASED, _several(), *NEAR),),
        (Median(BIASED, _several("bfs"), *NEAR), Median(BIASED, _several("pr"), *NEAR)),
    ),
    Claim(
        "M2",
        "Copies of all vertices or of neighbours alone",
        "Multi-GPU, IV",
        "Copies of all vertices make BFS faster, as nothing is renumbered; for PageRank there is no difference.",
        (Median(COPIES, _several("bfs"), low=1.0),),
        (Median(COPIES, _several("pr"), *NEAR),),
    ),
    Claim(
        "M3",
        "Edge numbers of 64 bits",
        "Multi-GPU, VII-D",
        "They double the bandwidth that is needed, and performance drops accordingly.",
        (Median(LONG_NUMBERS, _several(), high=1 / ABOUT),),
        (Median(LONG_NUMBERS, _several("bfs"), high=1 / ABOUT), Median(LONG_NUMBERS, _several("pr"), high=1 / ABOUT)),
    ),
    Claim(
        "M4",
        "Messages under way while GPUs compute",
        "Multi-GPU, III-B",
        "Separate streams hide communication behind computing.",
        (Median(EARLY, _several(), low=1.0),),
        (),
    ),
    Claim(
        "M5",
        "From GPU to GPU or through the host",
        "Multi-GPU, V-A",
        "Peer access raises the bandwidth from 16 to 20 GB/s and cuts the latency from 25 to 7.5 microseconds.",
        (Median(PEERS, _several(), low=1.0),),
        (),
    ),
    Claim(
        "M6",
        "Events or the host",
        "Multi-GPU, III-B",
        "GPUs wait for each other by events, without the CPU.",
        (Median(EVENTS, _several(), low=1.0),),
        (),
    ),
)
