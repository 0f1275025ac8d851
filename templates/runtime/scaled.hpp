// Numbers with an exponent of their own: for counts, and shares in them, that no floating-point number could hold.
#pragma once

#ifdef __CUDACC__
#define VIOLET_SCALED __host__ __device__
#else
#define VIOLET_SCALED
#endif

namespace violet {

/// Two to the power of -`shift`, a whole number from 0; 0 if no normal number is so small.
template <typename T>
VIOLET_SCALED T power_of_half(int shift) {
  if constexpr (sizeof(T) == 4) {
    return shift < 127 ? __builtin_bit_cast(float, (127 - shift) << 23) : 0.0f;
  } else {
    return shift < 1023 ? __builtin_bit_cast(double, (1023ll - shift) << 52) : 0.0;
  }
}

/// A number that is not negative: mantissa * 2^exponent. Operations round as those of T do, once.
template <typename T>
struct Scaled {
  T mantissa;    ///< from 1 to below 2, or 0
  int exponent;  ///< that of 0 is lower than any other

  Scaled() = default;
  VIOLET_SCALED Scaled(T mantissa, int exponent) : mantissa(mantissa), exponent(exponent) {}
  /// 0 or 1.
  VIOLET_SCALED Scaled(int value) : mantissa(static_cast<T>(value)), exponent(value == 0 ? -(1 << 28) : 0) {}

  /// The number itself; infinity or 0 where T has no normal number of about that size.
  VIOLET_SCALED operator T() const {
    return exponent >= 0 ? mantissa / power_of_half<T>(exponent) : mantissa * power_of_half<T>(-exponent);
  }

  VIOLET_SCALED Scaled& operator+=(Scaled other) { return *this = *this + other; }

  friend VIOLET_SCALED Scaled operator+(Scaled a, Scaled b) {
    const bool a_is_larger = a.exponent >= b.exponent;
    const Scaled large = a_is_larger ? a : b;
    const Scaled small = a_is_larger ? b : a;
    return normal(large.mantissa + small.mantissa * power_of_half<T>(large.exponent - small.exponent), large.exponent);
  }
  friend VIOLET_SCALED Scaled operator*(Scaled a, Scaled b) {
    return normal(a.mantissa * b.mantissa, a.exponent + b.exponent);
  }
  /// The inverse of a number other than 0.
  friend VIOLET_SCALED Scaled operator/(int, Scaled a) { return normal(2 / a.mantissa, -a.exponent - 1); }
  friend VIOLET_SCALED bool operator>(Scaled a, int) { return a.mantissa > 0; }

 private:
  /// With a mantissa below 4.
  static VIOLET_SCALED Scaled normal(T mantissa, int exponent) {
    return mantissa < 2 ? Scaled(mantissa, exponent) : Scaled(mantissa / 2, exponent + 1);
  }
};

#ifdef __CUDACC__

template <typename T>
__device__ Scaled<T> __shfl_xor_sync(unsigned lanes, Scaled<T> value, int distance) {
  return {::__shfl_xor_sync(lanes, value.mantissa, distance), ::__shfl_xor_sync(lanes, value.exponent, distance)};
}

#endif

}  // namespace violet
