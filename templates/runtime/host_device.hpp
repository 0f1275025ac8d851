// What functions begin with that the host calls and, where nvcc compiles them, the GPU, too.
#pragma once

#ifdef __CUDACC__
#define VIOLET_HOST_DEVICE __host__ __device__
#else
#define VIOLET_HOST_DEVICE
#endif
