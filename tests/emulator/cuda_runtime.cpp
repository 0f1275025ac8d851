// What the host calls of CUDA, which need not be compiled with every program. See cuda_runtime.h.
#include "cuda_runtime.h"

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidResourceHandle:
      return "invalid resource handle";
    case cudaErrorNotReady:
      return "not ready";
    case cudaErrorPeerAccessAlreadyEnabled:
      return "peer access is enabled already";
    case cudaErrorCooperativeLaunchTooLarge:
      return "too many blocks in a cooperative launch";
  }
  return "unknown error";
}

cudaError_t cudaGetDevice(int* device) {
  *device = emulator::device();
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  emulator::use_device(device);
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return emulator::enable_access(peer) ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = emulator::devices();
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
      *value = emulator::multiprocessors;
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = 228 << 10;
      break;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      *value = 1 << 10;
      break;
  }
  return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }

cudaError_t cudaMalloc(void** memory, std::size_t size) {
  *memory = emulator::allocate(size, emulator::Space::device);
  return *memory != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const char* const bytes = std::getenv("EMULATOR_MEMORY");
  *free = *total = bytes != nullptr ? std::strtoull(bytes, nullptr, 10) : std::size_t{1} << 40;
  return cudaSuccess;
}

cudaError_t cudaHostAlloc(void** memory, std::size_t size, unsigned) {
  *memory = emulator::allocate(size, emulator::Space::visible);
  return *memory != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void* memory) {
  emulator::free(memory);
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void* memory) {
  emulator::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind, cudaStream_t stream) {
  emulator::copy(emulator::given(stream), to, from, size);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind) {
  emulator::copy(emulator::default_stream(), to, from, size);
  emulator::synchronize(emulator::default_stream());
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* memory) {
  *attributes = {emulator::is_on_device(memory) ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered, 0};
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* memory, int byte, std::size_t size, cudaStream_t stream) {
  emulator::fill(emulator::given(stream), memory, byte, size);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = emulator::make_stream();
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
  *stream = emulator::make_stream();
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  emulator::destroy(stream);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
  *lowest = *highest = 0;
  return cudaSuccess;
}

cudaError_t cudaGetLastError() { return cudaSuccess; }

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  emulator::synchronize(emulator::given(stream));
  return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return emulator::is_over(emulator::given(stream)) ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = emulator::make_event();
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return cudaEventCreate(event); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  emulator::record(emulator::given(stream), *event);
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event) {
  emulator::wait_for(emulator::given(stream), *event);
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  emulator::synchronize(*event);
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return emulator::is_over(*event) ? cudaSuccess : cudaErrorNotReady; }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  if (start->device != stop->device) return cudaErrorInvalidResourceHandle;
  *milliseconds = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  emulator::destroy(*event);
  return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  *graph = emulator::make_loop();
  return cudaSuccess;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph, unsigned first,
                                             unsigned flags) {
  if (flags != cudaGraphCondAssignDefault) return cudaErrorInvalidValue;
  emulator::set_more_at_first(graph, first != 0);
  *handle = graph;
  return cudaSuccess;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, std::size_t,
                             cudaGraphNodeParams* params) {
  *node = graph;
  params->conditional.phGraph_out = node;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t*, const void*,
                                          std::size_t, int) {
  emulator::begin_recording(stream, graph);
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t*) {
  emulator::end_recording(stream);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* loop, cudaGraph_t graph, unsigned) {
  *loop = graph;
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t) { return cudaSuccess; }

cudaError_t cudaGraphLaunch(cudaGraphExec_t loop, cudaStream_t stream) {
  emulator::run(emulator::given(stream), *loop);
  return cudaSuccess;
}

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, bool more) { emulator::set_more(handle, more); }

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t loop) {
  emulator::destroy(loop);
  return cudaSuccess;
}
