// The GPUs that the parts of a graph are solved on: how many there are, and which memory each of them reaches.
#pragma once

#include <algorithm>

#include "cuda.cuh"
#include "part_threads.hpp"

namespace violet {
inline namespace gpu {

inline Parameter gpus("gpus", 0, "GPUs to use; 0 stands for all that there are", Parameter::whole);
inline Parameter parts("parts", 0,
                       "parts of the graph, several on a GPU if there are more of them; 0 stands for one each",
                       Parameter::whole);

/// Sets the numbers of GPUs and of parts, where they were left open.
inline void choose_places() {
  int there = 0;
  check(cudaGetDeviceCount(&there), "find a GPU");
  if (static_cast<int>(gpus) > there) {
    fail(no_resources, "--gpus %d, but there are %d; with --gpus %d --parts %d, parts share GPUs",
         static_cast<int>(gpus), there, there, static_cast<int>(gpus));
  }
  if (gpus < 1) gpus.value = std::min(there, parts < 1 ? most_parts : static_cast<int>(parts));
  if (parts < 1) parts.value = gpus;
  if (parts > most_parts || parts < gpus) {
    fail(usage_error, "--parts %d: there can be as many as GPUs, here %d, up to %d", static_cast<int>(parts),
         static_cast<int>(gpus), most_parts);
  }
  if (parts > gpus) {  // nothing is timed
    gives_way = true;
    for (int gpu = 0; gpu < static_cast<int>(gpus); gpu++) {
      check(cudaSetDevice(gpu), "use a GPU");
      check(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync), "set up a GPU");
    }
  }
}

/// The GPU that solves a part.
inline int gpu_of(int part) { return part % static_cast<int>(gpus); }

/// The streams of parts. In the default stream, a copy to another GPU would begin when both had done all that they were given
/// before, and what they are given next would wait for it.
inline cudaStream_t streams[most_parts];

/// The stream of a part, whose GPU is in use.
inline cudaStream_t stream_of(int part) {
  if (streams[part] == nullptr) {
    check(cudaStreamCreateWithFlags(&streams[part], cudaStreamNonBlocking), "create a stream");
  }
  return streams[part];
}

/// What comes after that begins with another stream.
inline void end_stream_of(int part) {
  if (streams[part] != nullptr) {
    cudaStreamDestroy(std::exchange(streams[part], nullptr));
  }
}

/// Has the calling thread use that GPU.
inline void use_gpu_of(int part) { check(cudaSetDevice(gpu_of(part)), "use a GPU"); }

/// ... and the stream.
inline void work_for(int part) {
  use_gpu_of(part);
  stream = stream_of(part);
}

/// Lets the GPU in use reach the memory of the others directly, where the machine can: copies take a short way then, too.
inline void open_peers() {
  const int here = current_device();
  for (int device = 0; device < static_cast<int>(gpus); device++) {
    int can = 0;
    if (device != here && cudaDeviceCanAccessPeer(&can, here, device) == cudaSuccess && can != 0) {
      cudaDeviceEnablePeerAccess(device, 0);
      cudaGetLastError();  // that it was enabled already
    }
  }
}

/// Where other parts have something, for a kernel that reaches for it there.
template <typename T>
Addresses<T> in_reach(const Addresses<T>& addresses) {
  const int here = current_device();
  for (int device = 0; device < static_cast<int>(gpus); device++) {
    int can = 1;
    if (device != here) {
      check(cudaDeviceCanAccessPeer(&can, here, device), "ask a GPU about its peers");
    }
    if (can == 0) {
      fail(no_resources, "GPU %d cannot reach the memory of GPU %d; the style staged does without", here, device);
    }
  }
  return addresses;
}

}  // namespace gpu
}  // namespace violet
