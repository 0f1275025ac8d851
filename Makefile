# Violet: see `make help`.

# What a caller says is text, which make does not expand. Recipes take it from the environment, where blanks and quotes
# in it are no syntax.
$(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(eval override export $(name) := $$(value $(name)))))

CONFIG    ?=
GRAPHS    ?=
PROGRAMS  ?=
RESULTS   ?= results
FIGURES   ?= $(value RESULTS)/figures
ifndef JOBS
JOBS      := $(shell nproc 2>/dev/null || echo 2)
endif
export CONFIG GRAPHS PROGRAMS RESULTS FIGURES JOBS

export VENV := .venv
READY     := $(VENV)/.ready
override PY   := "$$VENV/bin/python"
override generate = $(PY) -m generator generate "$${CONFIG:-quick}"
override list := generated/programs.csv# whatever else is given: `clean` removes it

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
.PHONY: setup demo generate build run figures report test test-all fuzz sanitize mutants soak check format docs clean help

help: ## show this text
	@echo 'make [TARGET] [CONFIG=...] [PROGRAMS="bfs-* ..."] [GRAPHS="..."] [RESULTS=results] [JOBS=n] [CUDA_ARCH=sm_90]'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' Makefile

# Where Python may not keep what it compiles, it would compile all packages again at each start: 0.2 s of any --help.
setup: $(READY) ## create .venv with the pinned dependencies

$(READY): uv.lock pyproject.toml
	@"$${PYTHON:-python3}" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Violet needs Python 3.11 or later; name one with PYTHON=...' >&2; exit 1; }
	@test -x "$$VENV/bin/uv" || { "$${PYTHON:-python3}" -m venv "$$VENV" && $(PY) -m pip install --quiet --disable-pip-version-check 'uv>=0.8,<1'; }
	@VIRTUAL_ENV= UV_PROJECT_ENVIRONMENT="$$VENV" "$$VENV/bin/uv" sync --quiet --frozen --inexact $${PYTHONDONTWRITEBYTECODE:+--compile-bytecode}
	@touch $@

demo: setup ## build, run and plot a small subset; 1 to 2 minutes on 2 cores, longer with a GPU
	@$(generate)
	@$(PY) -m runner run --graphs $${GRAPHS:-karate grid-64 rmat-10 road-16k} --reps 3 --results "$$RESULTS"
	@$(PY) -m analysis figure "$$RESULTS" --out "$$FIGURES"

generate: setup ## write the programs of CONFIG (default: quick) to generated/
	@$(generate)

# With CONFIG, generates that; without, builds what was generated last.
# CUDA programs are for the GPU that is here, unless one names them or the architecture.
build: export HERE := $(if $(value PROGRAMS)$(value CUDA_ARCH),,1)
build: $(if $(value CONFIG),generate,$(list)) ## compile the programs of CONFIG, or those generated last (the default target)
	@$(MAKE) -f runner/build.mk -j"$$JOBS" -k TOTAL=$$($(MAKE) -n -f runner/build.mk | grep -c " -o .*[.]tmp >"); \
	  status=$$?; if [ -t 1 ] && [ "$$TERM" != dumb ]; then printf '\033[K'; fi; exit $$status

$(list): | setup
	@$(generate)

# The runner builds, after a look at the graphs, what can run here.
run: setup $(if $(value CONFIG),generate,$(list)) ## build, verify and time programs; goes on where it was stopped; `violet run` has more options
	@set -f; set -- $${PROGRAMS:+--programs $$PROGRAMS}; set +f; \
	  $(PY) -m runner run $${GRAPHS:+--graphs $$GRAPHS} "$$@" --results "$$RESULTS"

figures: setup ## plot what RESULTS holds
	@$(PY) -m analysis figure "$$RESULTS" --out "$$FIGURES"

report: setup ## write a page to explore RESULTS, and every table of them, to RESULTS/report
	@$(PY) -m analysis report "$$RESULTS" --out "$$RESULTS/report" --jobs "$$JOBS"

test: setup ## run the tests that a change concerns: those that passed before need not run again; FRESH=1: all
	@TESTS_FRESH="$$FRESH" $(PY) -m pytest --remember -n "$$JOBS"

test-all: setup ## run larger samples, too, and what takes long: for nights and releases; goes on where it was stopped
	@TESTS_FRESH="$$FRESH" TESTS_LONG=1 $(PY) -m pytest --remember -n "$$JOBS"

fuzz: setup $(list) ## feed the graph loader with random files for FUZZ_SECONDS (600); needs clang with libFuzzer
	@mkdir -p build/fuzz/corpus
	@$(PY) -m fuzz.seeds build/fuzz/corpus
	@for name in clang++ clang++-20 clang++-19 clang++-18 clang++-17 clang++-16; do CLANG=$${CLANG:-$$(command -v $$name)}; done; \
	  "$${CLANG:-clang++}" -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Itemplates/runtime -Igenerated/runtime \
	  fuzz/graph_file.cpp templates/runtime/graph_file.cpp -o build/fuzz/graph_file
	@build/fuzz/graph_file -max_total_time="$${FUZZ_SECONDS:-600}" -max_len=512 -print_final_stats=1 \
	  -artifact_prefix=build/fuzz/ build/fuzz/corpus

sanitize: setup ## CPU programs of CONFIG (paper) under AddressSanitizer, UBSan and, with clang and its libomp, ThreadSanitizer
	@$(PY) -m trust clean --models cpu --config "$${CONFIG:-paper}" --jobs "$$JOBS"

mutants: setup ## plant small mistakes in references, checks and graph loading; the tests must notice each
	@$(PY) -m trust mutants --jobs "$$JOBS"

soak: export LIMIT := $(or $(value SECONDS),3600)# for a shell, SECONDS is a clock
soak: setup ## random programs on random graphs for SECONDS (3600), drawn from SEED (1)
	@$(PY) -m trust soak --seconds "$$LIMIT" --seed "$${SEED:-1}"

check: setup ## lint, types, formatting of Python, C++ and templates
	@"$$VENV"/bin/ruff check .
	@"$$VENV"/bin/ruff format --check --quiet .
	@"$$VENV"/bin/mypy
	@"$$VENV"/bin/clang-format --dry-run -Werror $$(git ls-files '*.cpp' '*.hpp' '*.h' '*.cuh' '*.cu')
	@$(PY) -m generator.indentation --check

format: setup ## format Python, C++ and templates
	@"$$VENV"/bin/ruff format .
	@"$$VENV"/bin/clang-format -i $$(git ls-files '*.cpp' '*.hpp' '*.h' '*.cuh' '*.cu')
	@$(PY) -m generator.indentation

docs: setup ## build the site of the documentation into build/site; to search it: python3 -m http.server -d build/site
	@NO_MKDOCS_2_WARNING=1 "$$VENV"/bin/mkdocs build --quiet

clean: ## remove what was generated and built; results and graphs stay
	rm -rf build generated/cuda generated/multigpu generated/openmp generated/cpp generated/runtime generated/.generated-files $(list)
