// Whether the results of a program are right.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference.hpp"
#include "report.hpp"

namespace violet {

/// The arrays of a result of the subject's program, as what checks them takes them; of results in rows, those of one row.
std::vector<Result> arrays_of(const Subject& subject, const Values& values, int row = 0, int rows = 1);

/// Verifies results for one query after the other.
class Verification {
 public:
  /// @param reference  file with the reference, or null
  /// @param phases     to which the time that it takes is added
  Verification(const Subject& subject, const std::string* reference, Phases& phases)
      : subject_(subject), reference_(reference), phases_(phases) {}

  /// Begins with another query, and gets the reference if results are held against it in any case.
  void begin(const Query& query);

  /// Describes what is wrong with a result, if anything is.
  std::optional<std::string> find_error(const Values& values, int rounds);

 private:
  void obtain_reference();
  std::optional<std::string> find_error_in_row(const Values& values, int rounds, int row);
  bool is_verified(const Values& values) const;
  std::optional<std::string> find_error_anew(const Values& values, int rounds);

  const Subject& subject_;
  const std::string* reference_;
  Phases& phases_;
  Query query_ = {};
  std::optional<Reference> expected_;
  std::optional<Values> verified_;  ///< the latest result that was verified
  double margin_ = 0;  ///< by which others may differ from it, of an algorithm with one array; see Certificate
};

}  // namespace violet
