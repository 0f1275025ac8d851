// Whether this is a build for AddressSanitizer, which needs arrays in allocations of their own to see where they end.
#pragma once

namespace violet {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool address_sanitizer = true;
#elif defined(__has_feature)
constexpr bool address_sanitizer = __has_feature(address_sanitizer);
#else
constexpr bool address_sanitizer = false;
#endif

}  // namespace violet
