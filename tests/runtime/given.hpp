// What a program would give for the results of a reference, and whether the algorithm's check accepts it.
#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

#include "reference.hpp"

/// One array of results, in whole numbers or in reals of some precision.
template <typename Real>
using Given = std::variant<std::vector<std::int64_t>, std::vector<Real>>;

/// The results of a reference, without what it has besides for its check.
template <typename Real>
std::vector<Given<Real>> given_by(const violet::AlgorithmInfo& info, const violet::Reference& expected) {
  std::vector<Given<Real>> given;
  for (std::size_t i = 0; i < info.results.size(); i++) {
    const auto convert = [](const auto& array) -> Given<Real> {
      if constexpr (std::is_same_v<std::decay_t<decltype(array)>, std::vector<std::int64_t>>) return array;
      return std::vector<Real>(array.begin(), array.end());
    };
    given.push_back(std::visit(convert, expected[i]));
  }
  return given;
}

template <typename Real>
bool is_accepted(const violet::AlgorithmInfo& info, const violet::Graph& graph, const violet::Reference& expected,
                 const std::vector<Given<Real>>& given, int rounds = 0) {
  constexpr violet::Element reals = sizeof(Real) == 4 ? violet::Element::f32 : violet::Element::f64;
  std::vector<violet::Result> results;
  for (std::size_t i = 0; i < given.size(); i++) {
    const violet::Element element = given[i].index() == 0 ? violet::Element::i64 : reals;
    std::visit([&](const auto& array) { results.push_back({&info.results[i], element, array.size(), array.data()}); },
               given[i]);
  }
  violet::Results found(results);
  found.rounds = rounds;
  try {
    return !violet::find_error(info, graph, expected, found);
  } catch (const violet::Failure&) {
    return false;  // too far off, though rounding may be to blame
  }
}
