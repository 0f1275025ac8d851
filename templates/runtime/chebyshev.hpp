// Chebyshev's acceleration of an iteration.
#pragma once

#ifdef __CUDACC__
#define VIOLET_ACCELERATION __host__ __device__
#else
#define VIOLET_ACCELERATION
#endif

namespace violet {

/// Weights for an iteration that repeats a linear function F whose matrix has real eigenvalues, as that of a random walk on an
/// undirected graph has. Instead of F(now), the next values are before + weight * (F(now) - before), where `before` is what was
/// there before `now` (Hageman and Young, Applied Iterative Methods, 1981).
///
/// The weights follow from a bound of the eigenvalues, which is learnt from how fast changes shrink. One that is too low is no
/// worse than not to accelerate: values along larger eigenvalues shrink faster than they would by themselves.
class Acceleration {
 public:
  /// @param most  no eigenvalue is larger, nor smaller than its negative
  VIOLET_ACCELERATION explicit Acceleration(double most) : most_(most) {}

  /// For the next iteration; 1 in the first.
  VIOLET_ACCELERATION double weight() const { return weight_; }

  /// @param change  by how much F has changed all values in an iteration, in any norm
  /// @return the same
  VIOLET_ACCELERATION double learn(double change) {
    iterations_++;
    if (iterations_ > 1 && last_ > 0) {
      // With the weight w, what belongs to the eigenvalue x shrinks by r, where r * r + w - 1 = w * x * r in the long run.
      const double ratio = change / last_;
      const double found = (ratio * ratio + weight_ - 1) / (weight_ * ratio);
      const bool shows = ratio * ratio > weight_ - 1;  // or else nothing shrinks more slowly than the bound says
      if (shows && found > bound_) {
        bound_ = found < most_ ? found : most_;
      }
    }
    last_ = change;
    weight_ = 1 / (1 - bound_ * bound_ * (iterations_ == 1 ? 0.5 : weight_ / 4));
    return change;
  }

 private:
  double most_;
  double bound_ = 0.5;  // of the eigenvalues, so far
  double weight_ = 1;
  double last_ = 0;
  int iterations_ = 0;
};

}  // namespace violet

#undef VIOLET_ACCELERATION
