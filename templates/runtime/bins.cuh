// Edges by bins, for programs on one GPU.
#pragma once

#include "binned_edges.cuh"

namespace violet {
inline namespace gpu {

using Part = PartOfBin;  // on several GPUs, that is a part of the graph

}  // namespace gpu
}  // namespace violet
