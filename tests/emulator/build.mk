# Compiles programs that translate.py has translated:
#
#   make -f tests/emulator/build.mk -j DIR=build/tests/emulated RUNTIME=generated/runtime
#
# DIR has programs/NAME.cpp and the translated headers in runtime/, RUNTIME what they were translated from. Binaries get to
# DIR/bin; the emulator and what all programs share is compiled once. LIBRARY names an archive of the latter that is there
# already. `flags` prints what programs are compiled with.

.DELETE_ON_ERROR:
.PHONY: programs flags
programs:

CXX     ?= g++
HERE    := tests/emulator
BEGIN   := $(DIR)/obj/common.hpp

compiled := $(patsubst $(RUNTIME)/%.cpp,$(DIR)/obj/%.o,$(wildcard $(RUNTIME)/*.cpp))
shared   := $(or $(LIBRARY),$(compiled))
emulator := $(DIR)/obj/emulator.o $(DIR)/obj/cuda_runtime.o
binaries := $(patsubst $(DIR)/programs/%.cpp,$(DIR)/bin/%,$(wildcard $(DIR)/programs/*.cpp))
common   := -std=c++20 -Wall -Wextra -MMD -MP -pthread

# The compiler puts a call of ThreadSanitizer's runtime before every access to memory; the emulator has these functions.
# Not so where a function stores a struct that it returns: -O1 inlines these, -Og does not.
emulated := $(common) -O1 -fsanitize=thread --param tsan-distinguish-volatile=1 --param tsan-instrument-func-entry-exit=0 -fno-threadsafe-statics \
  -Wno-unknown-pragmas -Wno-unused-parameter -D__CUDACC__ -I$(HERE) -I$(DIR)/runtime

programs: $(binaries)
flags:
	@echo '$(filter-out -MMD -MP,$(emulated))'

$(shell mkdir -p $(DIR)/obj $(DIR)/bin)

$(DIR)/obj/emulator.o: $(HERE)/emulator.cpp
	$(CXX) $(common) -O2 -c $< -o $@

# What the host calls writes its results where it is told to, which has to be memory of the host.
$(DIR)/obj/cuda_runtime.o: $(HERE)/cuda_runtime.cpp
	$(CXX) $(emulated) -c $< -o $@

$(compiled): $(DIR)/obj/%.o: $(RUNTIME)/%.cpp
	$(CXX) $(common) -O1 -c $< -o $@

# The header that all programs begin with is compiled once, which halves the time.
$(DIR)/obj/common.hpp:
	echo '#include "cuda.cuh"' > $@

$(DIR)/obj/common.hpp.gch: $(DIR)/obj/common.hpp $(HERE)/build.mk
	$(CXX) $(emulated) -x c++-header $< -o $@

$(DIR)/obj/%.o: $(DIR)/programs/%.cpp $(BEGIN).gch
	$(CXX) $(emulated) -include $(BEGIN) -c $< -o $@

# The emulator comes first: of functions that are in several objects, the first are taken, and its own must not call it.
$(binaries): $(DIR)/bin/%: $(emulator) $(DIR)/obj/%.o $(shared)
	$(CXX) -pthread $^ -o $@

-include $(wildcard $(DIR)/obj/*.d)
