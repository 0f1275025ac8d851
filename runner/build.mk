# Compiles the generated programs. Called in the root of the checkout by the Makefile and by `python -m runner`:
#
#   make -f runner/build.mk -j                              every program of generated/programs.csv
#   make -f runner/build.mk -j PROGRAMS="bfs-cpp-* NAME"    the ones that match a name or a glob
#   make -f runner/build.mk -j runtime                      only what all programs share, and violet-reference
#   make -f runner/build.mk toolchain                       model, compiler version and command, one model a line
#
# CXX, CXXFLAGS, NVCC, NVCCFLAGS and CUDA_ARCH choose the compilers, MANIFEST another list of programs, LIBRARY a file
# with what all programs share that is up to date already, HERE=1 leaves out what needs a GPU where none is, and V=1 shows full commands. Compilers and flags are words with
# blanks in between; neither make nor a shell sees more in them. A failed compilation leaves no binary, old or partial;
# what the compiler said stays in BINARY.log.

.SUFFIXES:
.DELETE_ON_ERROR:
.PHONY: programs runtime toolchain left-out
programs:

# What a caller says is text, which make does not expand.
literal = $(eval $(if $(filter command override,$(origin $1)),override export) $1 := $$(value $1))
$(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(call literal,$(name))))
$(foreach name,CXX CXXFLAGS NVCC NVCCFLAGS NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS NVCC_CCBIN CUDA_ARCH CUDA_VISIBLE_DEVICES \
  GENERATED BUILD MANIFEST PROGRAMS LIBRARY TOTAL HERE V,\
  $(if $(filter environment,$(origin $(name))),$(call literal,$(name))))

# ... nor does a shell.
quote  = '$(subst ','\'',$(strip $1))'
quoted = $(foreach word,$1,$(call quote,$(word)))

GENERATED := generated
BUILD     := build
MANIFEST  := $(GENERATED)/programs.csv
PROGRAMS  := *

# Rules have a meaning for these in names of files.
odd := $$ ` " ' \ ; : \# % = | & * ? [ ] ~ < > ( ) ! { }
$(foreach name,GENERATED BUILD MANIFEST LIBRARY,$(if $(strip $(word 2,$($(name))) $(foreach c,$(odd),$(findstring $c,$($(name))))),\
  $(error $(name)=$($(name)): make cannot handle this path: choose one without blanks and without $(odd))))

# ---- Compilers -------------------------------------------------------------------------------------------------------

CXXFLAGS  ?= -O3
NVCC      ?= nvcc
NVCCFLAGS ?= -O3

cxx_version  := $(shell $(call quoted,$(CXX)) -dumpfullversion -dumpversion 2>/dev/null)
nvcc_version := $(shell $(call quoted,$(NVCC)) --version 2>/dev/null | awk 'sub(/.*release.* V/, "")')

comma     := ,
define newline


endef

ifndef CUDA_ARCH
# The GPU that programs will see; nvidia-smi is slow, so it is asked only where there is a driver. Without one: Hopper.
gpu       := $(filter-out MIG%,$(firstword $(subst $(comma), ,$(CUDA_VISIBLE_DEVICES))))
gpu_arch  := $(if $(and $(nvcc_version),$(wildcard /dev/nvidiactl)),$(shell \
  nvidia-smi $(call quoted,$(gpu:%=--id=%)) --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | \
  awk 'NR == 1 && sub(/[.]/, "") { print "sm_" $$1 }'))
CUDA_ARCH := $(or $(gpu_arch),sm_90)
endif

models  := cpp openmp cuda multigpu
include := -I$(GENERATED)/runtime
# Programs need their standard: another one, as conda has in CXXFLAGS, is left out.
other   := -std=% --std=% -ansi
cpp     := $(CXX) -std=c++20 $(filter-out $(other),$(CXXFLAGS)) -Wall -Wextra -pthread $(include)
openmp  := $(CXX) -std=c++20 $(filter-out $(other),$(CXXFLAGS)) -Wall -Wextra -fopenmp $(include)
# nvcc takes flags from the environment, too: here they are part of the command, so that it says all that was built with.
flags   := $(NVCC_PREPEND_FLAGS) $(NVCC_CCBIN:%=-ccbin %) $(NVCCFLAGS) $(NVCC_APPEND_FLAGS)
unexport NVCC_PREPEND_FLAGS NVCC_CCBIN NVCC_APPEND_FLAGS
# Each of nvcc's three passes over a program reads what cuda_runtime.h includes. Of that, libstdc++'s Bessel functions and
# their like, which this leaves out, are a fifth of all that compiling takes; what nvcc makes is the same, byte by byte.
no_bessel := -D_GLIBCXX_BITS_SPECFUN_H
cuda    := $(NVCC) -std=c++20 $(filter-out $(other),$(flags)) -arch=$(CUDA_ARCH) -Xcompiler -Wall$(comma)-Wextra $(no_bessel) $(include)
cuda    := $(if $(nvcc_version),$(cuda))
multigpu := $(cuda)
runtime  := $(cpp)
version  = $(if $(filter cuda multigpu,$1),$(nvcc_version),$(cxx_version))

# MODEL.command holds the command and the compiler's version, and is rewritten only when they change: what depends on
# it is built again when, say, CXXFLAGS does.
same     = $(and $(findstring $1,$2),$(findstring $2,$1))
identity = $(call version,$1) $($1)
remember = $(if $(call same,$(identity),$(file <$(BUILD)/$1.command)),,$(file >$(BUILD)/$1.command,$(identity)))
$(shell mkdir -p $(BUILD))
$(foreach model,$(models) runtime,$(call remember,$(model)))

# ---- Programs --------------------------------------------------------------------------------------------------------

# One pass over the manifest prints MODEL/ALGORITHM/NAME of every program that PROGRAMS selects.
define select
  { sub(/\r$$/, "") }
  NR == 1 { for (i = 1; i <= NF; i++) column[$$i] = i; gsub(/[*]/, ".*", names); gsub(/ +/, "|", names); next }
  $$column["name"] ~ "^(" names ")$$" { print $$column["model"] "/" $$column["algorithm"] "/" $$column["name"] }
endef
selected  := $(if $(wildcard $(MANIFEST)),$(shell awk -F, -v names=$(call quote,$(PROGRAMS)) '$(select)' $(MANIFEST)))
has_gpu   := $(if $(HERE),$(wildcard /dev/nvidiactl),yes)
buildable := $(if $(and $(cuda),$(has_gpu)),$(selected),$(filter-out cuda/% multigpu/%,$(selected)))
binaries  := $(addprefix $(BUILD)/,$(buildable))
started   :=
start     :=
gpu_check := $(if $(filter cuda/% multigpu/%,$(buildable)),$(if $(wildcard $(GENERATED)/runtime/tools/gpu_check.cu),$(BUILD)/violet-gpu-check))

# Where the caller counted what there is to compile (TOTAL): how much is left, and for how long at the speed so far.
# Expanded when a recipe starts, so that the count is of recipes.
progress = $(if $(TOTAL),$(eval started += x)$(if $(start),,$(eval start := $(shell date +%s)))$(shell awk \
  -v done=$(words $(started)) -v total=$(call quote,$(TOTAL)) -v seconds=$$(($$(date +%s) - $(start))) \
  'BEGIN { printf "[%d of %d, about %d s left] ", done, total, seconds * (total - done) / done }'))

# On a terminal a line without wrapping, which the next one, or what a compiler says, overwrites.
terminal  = [ -t $1 ] && [ "$$TERM" != dumb ]
say       = if $(call terminal,1); then printf '\033[K\033[?7l%s\033[?7h\r' '$1'; else echo '$1'; fi
said      = if [ -s $1 ] && $(call terminal,2); then printf '\033[K' >&2; fi; cat $1 >&2

# Runs a command that is told to write $@.tmp and $@.d, and moves its output into place when all went well.
define compile
@$(if $(V),echo $(call quote,$(progress)$1 -o $@),$(call say,$(progress)compile $(@:$(BUILD)/%=%)))
@mkdir -p $(@D) && rm -f $@
@$(call quoted,$1) -MMD -MP -MF $@.d -MT $@ -o $@.tmp >$@.log 2>&1; status=$$?; $(call said,$@.log); exit $$status
@mv $@.tmp $@
endef

programs: $(binaries) $(if $(LIBRARY),,runtime) $(gpu_check) $(if $(filter-out $(buildable),$(selected)),left-out)
	$(if $(wildcard $(MANIFEST)),,@echo '$(MANIFEST) is missing: run `make generate` first' >&2; exit 1)
	$(if $(selected),,@echo $(call quote,no program of $(MANIFEST) matches $(PROGRAMS)) >&2; exit 1)
	@:

left-out:
	@echo $(call quote,$(if $(cuda),no GPU here,$(NVCC) not found): $(words $(filter cuda/% multigpu/%,$(selected))) CUDA \
	  programs are left out$(if $(cuda),; make CUDA_ARCH=sm_90 compiles them for that one))

toolchain:
	$(foreach model,$(models),$(if $($(model)),$(info $(model)	$(call version,$(model))	$($(model)))))@:

# ---- Rules -----------------------------------------------------------------------------------------------------------

# Main function, graph loading and verification are the same for every program: compiled once, linked into each.
archive   := $(BUILD)/runtime/libviolet.a
library   := $(or $(LIBRARY),$(archive))
reference := $(BUILD)/violet-reference

# For the compiler it is four sources, one of them of all references: what they include takes longer than they do. The
# table of algorithms and the division are alone: who links others, which come first, does without these.
sources   := $(notdir $(wildcard $(GENERATED)/runtime/*.cpp))
serial    := $(filter serial_%,$(sources))
table     := $(filter algorithms.cpp,$(sources))
division  := $(filter parts.cpp,$(sources))
shared    := $(filter-out $(serial) $(table) $(division),$(sources))
united    := $(foreach unit,serial table division shared,$(if $($(unit)),$(BUILD)/runtime/$(unit)))

$(shell mkdir -p $(BUILD)/runtime)
hash      := \#
all_of     = $(foreach file,$1,$(hash)include "$(file)"$(newline))
unite      = $(if $(call same,$(strip $2),$(strip $(file <$1))),,$(file >$1,$2))
$(foreach unit,$(united),$(call unite,$(unit).cpp,$(call all_of,$($(notdir $(unit)))))\
  $(eval $(unit).o: $($(notdir $(unit)):%=$(GENERATED)/runtime/%)))

runtime: $(archive) $(reference)
	@:

$(united:=.o): %.o: %.cpp $(BUILD)/runtime.command
	$(call compile,$(cpp) -c $<)

$(archive): $(united:=.o)
	@rm -f $@ $@.tmp
	@ar rcs $@.tmp $^
	@mv $@.tmp $@

$(reference): $(GENERATED)/runtime/tools/reference_main.cpp $(archive)
	$(call compile,$(cpp) $< $(archive))

$(BUILD)/violet-gpu-check: $(GENERATED)/runtime/tools/gpu_check.cu $(BUILD)/cuda.command
	$(call compile,$(cuda) $<)

# The header that all programs of a model include is compiled once, too, which makes a program twice as fast to compile.
begin := $(BUILD)/cpp.begin.hpp $(BUILD)/openmp.begin.hpp

$(BUILD)/cpp.begin.hpp: header    := threads.hpp
$(BUILD)/openmp.begin.hpp: header := openmp.hpp
$(begin):
	@printf '#include "%s"\n' $(header) >$@

$(begin:=.gch): $(BUILD)/%.begin.hpp.gch: $(BUILD)/%.begin.hpp $(BUILD)/%.command
	$(call compile,$($*) -x c++-header $<)

$(filter $(BUILD)/cpp/%,$(binaries)): $(BUILD)/%: $(GENERATED)/%.cpp $(library) $(BUILD)/cpp.begin.hpp.gch
	$(call compile,$(cpp) -include $(BUILD)/cpp.begin.hpp $< $(library))

$(filter $(BUILD)/openmp/%,$(binaries)): $(BUILD)/%: $(GENERATED)/%.cpp $(library) $(BUILD)/openmp.begin.hpp.gch
	$(call compile,$(openmp) -include $(BUILD)/openmp.begin.hpp $< $(library))

$(filter $(BUILD)/cuda/%,$(binaries)): $(BUILD)/%: $(GENERATED)/%.cu $(library) $(BUILD)/cuda.command
	$(call compile,$(cuda) $< $(library))

$(filter $(BUILD)/multigpu/%,$(binaries)): $(BUILD)/%: $(GENERATED)/%.cu $(library) $(BUILD)/multigpu.command
	$(call compile,$(multigpu) $< $(library))

# A file that a build depended on and that is gone since makes that build out of date; it is no error.
$(GENERATED)/%: ;

-include $(wildcard $(addsuffix .d,$(binaries) $(united:=.o) $(reference) $(gpu_check) $(begin:=.gch)))
