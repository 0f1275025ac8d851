// Defines what a failure does, for programs of one source and without a harness: it prints the message and exits with its code.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "violet.hpp"

void violet::fail(ExitCode code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::exit(code);
}
