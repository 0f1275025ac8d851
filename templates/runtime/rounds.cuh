// Rounds as a CUDA graph: a loop whose end the GPU finds by itself.
#pragma once

#include "cuda.cuh"

namespace violet {
inline namespace gpu {

/// Records what `launch(stream, more)` launches as the body of a loop. The loop goes on as long as one of its kernels
/// calls cudaGraphSetConditional(more, true); its first round is unconditional. Needs CUDA 12.4.
template <typename Launch>
cudaGraphExec_t record_loop(Launch launch) {
  cudaGraph_t graph;
  cudaGraphConditionalHandle more;
  cudaGraphNode_t node;
  cudaStream_t stream;
  cudaGraphExec_t loop;
  check(cudaGraphCreate(&graph, 0), "create a CUDA graph");
  check(cudaGraphConditionalHandleCreate(&more, graph, 1, cudaGraphCondAssignDefault), "create a condition");
  cudaGraphNodeParams repeat = {};
  repeat.type = cudaGraphNodeTypeConditional;
  repeat.conditional.handle = more;
  repeat.conditional.type = cudaGraphCondTypeWhile;
  repeat.conditional.size = 1;
#if CUDART_VERSION >= 13000
  check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &repeat), "add a loop to a CUDA graph");
#else
  check(cudaGraphAddNode(&node, graph, nullptr, 0, &repeat), "add a loop to a CUDA graph");
#endif
  const cudaGraph_t body = repeat.conditional.phGraph_out[0];
  // Not one that waits for the default stream: what another thread launches there would end the recording.
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
  check(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal), "record");
  launch(stream, more);
  check(cudaStreamEndCapture(stream, nullptr), "record a round");
  check(cudaGraphInstantiate(&loop, graph, 0), "instantiate a CUDA graph");
  check(cudaStreamDestroy(stream), "destroy a stream");
  check(cudaGraphDestroy(graph), "destroy a CUDA graph");
  return loop;
}

/// Runs a loop from a state, which its kernels find at `live`, and then change. The host does not wait.
template <typename State>
void run_loop(cudaGraphExec_t loop, const State& state, State* live) {
  check(cudaMemcpyAsync(live, &state, sizeof state, cudaMemcpyHostToDevice, stream), "copy the state to the GPU");
  check(cudaGraphLaunch(loop, stream), "launch a CUDA graph");
}

}  // namespace gpu
}  // namespace violet
