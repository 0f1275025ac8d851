// Two numbers in one, for programs of every model: packed numbers compare as the first ones do, then as the second ones.
#pragma once

#include "host_device.hpp"

namespace violet {

/// Packs two numbers of 32 bits, the second one not negative.
VIOLET_HOST_DEVICE constexpr long long pack(long long first, long long second) { return first << 32 | second; }

/// The first number of two that are packed.
VIOLET_HOST_DEVICE constexpr int first_of(long long packed) { return static_cast<int>(packed >> 32); }

/// The second number of two that are packed.
VIOLET_HOST_DEVICE constexpr int second_of(long long packed) { return static_cast<int>(packed & 0x7fffffff); }

}  // namespace violet
