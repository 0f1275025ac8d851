// Which messages are news, for the programs that send only those, and for the bound of the reference.
#pragma once

#include <limits>

namespace violet::bp {

/// A message is sent again if it differs by more than this from what was sent last: by more than rounding may make of it.
template <typename T>
constexpr T enough = 4 * std::numeric_limits<T>::epsilon();

}  // namespace violet::bp
