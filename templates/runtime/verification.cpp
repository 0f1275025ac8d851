#include "verification.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "reference_file.hpp"
#include "searches.hpp"

namespace violet {

std::vector<Result> arrays_of(const Subject& subject, const Values& values, int row, int rows) {
  std::vector<Result> arrays;
  for (std::size_t i = 0; i < values.size(); i++) {
    const Element element = subject.program.elements[i];
    const std::size_t bytes = values[i].size() / static_cast<std::size_t>(rows);
    arrays.push_back({&subject.algorithm.results[i], element, bytes / element_size(element),
                      values[i].data() + static_cast<std::size_t>(row) * bytes});
  }
  return arrays;
}

void Verification::begin(const Query& query) {
  query_ = query;
  expected_.reset();
  verified_.reset();
  margin_ = 0;
  if (reference_ != nullptr || subject_.algorithm.certify == nullptr) obtain_reference();
}

void Verification::obtain_reference() {
  const Stopwatch stopwatch(phases_.reference);
  const auto& [program, options, algorithm, path, file] = subject_;
  expected_ = reference_ != nullptr ? read_reference(*reference_, {&algorithm, &file, &query_})
                                    : algorithm.solve(subject_.graph(), query_);
  check_range(algorithm, *expected_, program);
}

/// What was verified last, byte for byte, or is so near that its certificate covers it, needs no second look.
std::optional<std::string> Verification::find_error(const Values& values, int rounds) {
  if (timed(phases_.verify, [&] { return is_verified(values); })) return {};
  auto error = find_error_anew(values, rounds);
  verified_ = values;
  return error;
}

bool Verification::is_verified(const Values& values) const {
  if (!verified_) return false;
  // Comparing vectors would go byte by byte.
  const auto equal = [](const std::vector<std::byte>& one, const std::vector<std::byte>& other) {
    return one.size() == other.size() && (one.empty() || std::memcmp(one.data(), other.data(), one.size()) == 0);
  };
  if (std::ranges::equal(values, *verified_, equal)) return true;
  return margin_ > 0 && values.size() == 1 && values[0].size() == (*verified_)[0].size() &&
         difference(arrays_of(subject_, values)[0], arrays_of(subject_, *verified_)[0]) <= margin_;
}

/// Where a result has a row for each source, each is that of a search from one.
std::optional<std::string> Verification::find_error_anew(const Values& values, int rounds) {
  const int rows = rows_of(query_);
  if (rows == 1) return find_error_in_row(values, rounds, 0);
  for (int row = 0; row < rows; row++) {
    query_.source = query_.source_list[row];
    expected_.reset();
    const auto error = find_error_in_row(values, rounds, row);
    if (error) return text("source %d, %s", query_.source, error->c_str());
  }
  return {};
}

/// Unless a reference is there, a certificate is enough; what it does not certify is held against the reference, which
/// says what is wrong.
std::optional<std::string> Verification::find_error_in_row(const Values& values, int rounds, int row) {
  const std::vector<Result> arrays = arrays_of(subject_, values, row, rows_of(query_));
  Results found(arrays);
  found.rounds = rounds;
  const AlgorithmInfo& algorithm = subject_.algorithm;
  if (!expected_) {
    const auto certificate = timed(phases_.verify, [&] { return certify(algorithm, subject_.graph(), query_, found); });
    margin_ = certificate.holds ? certificate.margin : 0;
    if (certificate.holds) return {};
    obtain_reference();
  }
  return timed(phases_.verify, [&] { return violet::find_error(algorithm, subject_.graph(), *expected_, found); });
}

}  // namespace violet
