# SPDX-License-Identifier: BSD-3-Clause
# Commands for building and testing Corten; `make help` lists them. All output stays in this folder
# (.venv, build*), and nothing needs root. Requires a C compiler, make, git and Python 3.11 or newer.

PYTHON ?= python3
JOBS   ?= $(shell nproc)
PREFIX ?= $(HOME)/.local
# Whether compiler warnings are errors. Off by default, because each compiler version adds warnings,
# which users should not have to fix. .ci/run turns it on.
WERROR ?= false

# make splits names at spaces, so targets and programs are named relative to this folder. Where a tool
# needs an absolute path, the recipe quotes "$(CURDIR)": the path to the clone may contain spaces.
VENV   := .venv
BIN    := $(VENV)/bin
TOOLS  := $(VENV)/.tools-ready
CHECKS := $(VENV)/.checks-ready
MESON  := $(BIN)/meson
PYTEST := $(BIN)/python -m pytest

export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK = 1

define CHECK_PYTHON
import os, sys, sysconfig
if sys.version_info < (3, 11):
    sys.exit('Corten needs Python 3.11 or newer; choose one with make PYTHON=...')
if not os.path.exists(os.path.join(sysconfig.get_path('include'), 'Python.h')):
    sys.exit('The headers of Python are missing (package python3-dev or python3-devel).')
endef
export CHECK_PYTHON

say = @printf '\033[1m==> %s\033[0m\n' $(1)

.DEFAULT_GOAL := help
.PHONY: help build generate demo test test-cuda sanitize tsan fuzz valgrind analyze conformance record wheel sdist install bench docs format clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(TOOLS): requirements-build.txt
	$(call say,'Getting the build tools from PyPI into .venv (once)')
	@$(PYTHON) -c "$$CHECK_PYTHON"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q -r requirements-build.txt
	@touch $@

$(CHECKS): requirements-dev.txt $(TOOLS)
	$(call say,'Getting the test tools from PyPI into .venv (once)')
	@$(BIN)/python -m pip install -q -r requirements-dev.txt
	@touch $@

build/build.ninja: | $(TOOLS)
	$(call say,'Configuring')
	@$(MESON) setup build --prefix="$(CURDIR)/$(VENV)" -Dpython.install_env=venv -Dwerror=$(WERROR) > build-setup.log 2>&1 \
	    || { cat build-setup.log; rm -f build-setup.log; exit 1; }
	@mv build-setup.log build/

# Brings the committed generated files up to date with the rows before anything is compiled.
include/corten/ops.h: $(TOOLS) $(shell find src/ops -name '*.toml') $(wildcard tools/*.py tools/*.toml)
	@$(BIN)/python tools/gen.py --write
	@touch $@

build: $(TOOLS) include/corten/ops.h build/build.ninja ## build Corten and install it into .venv
	$(call say,'Building Corten (a minute or two the first time, seconds later)')
	@set -e; fresh=$$(test -e build/src/libcorten.so.0 || echo yes); start=$$(date +%s); \
	ninja -C build -j $(JOBS) $$(test -t 1 || echo --quiet); \
	test -z "$$fresh" || echo $$(($$(date +%s) - start)) > build/clean-build-seconds
	@$(MESON) install -C build --no-rebuild --only-changed --quiet

generate: $(TOOLS) ## update the generated files that are committed (ops.h, stubs)
	@$(BIN)/python tools/gen.py --write

demo: build ## build, then a short tour of what Corten does
	@$(BIN)/python examples/tour.py

test: build $(CHECKS) ## build and run all tests
	$(call say,'C tests and examples')
	@$(MESON) test -C build --no-rebuild --num-processes $(JOBS) --print-errorlogs --quiet
	$(call say,'Size and build time')
	@$(BIN)/python tests/style/budget.py build
	$(call say,'Python tests')
	@$(PYTEST) -q -n 2 --dist worksteal tests --ignore=tests/conformance

test-cuda: ## all operations on a GPU; without .venv it uses the system's Python and meson, and no network
	@$(or $(wildcard $(BIN)/python),python3) tests/cuda.py

# The sanitizers have separate builds; Python finds the package in stage/.
SANITIZED = -Dwerror=$(WERROR) --buildtype=debugoptimized -Doptimization=1 -Db_lundef=false
ASAN_LIBS = $(shell $(CC) -print-file-name=libasan.so) $(shell $(CC) -print-file-name=libubsan.so)

build-sanitize/build.ninja: | $(TOOLS)
	@$(MESON) setup build-sanitize $(SANITIZED) -Db_sanitize=address,undefined \
	    "-Dpython.platlibdir=$(CURDIR)/build-sanitize/stage" "-Dpython.purelibdir=$(CURDIR)/build-sanitize/stage"

sanitize: build-sanitize/build.ninja $(CHECKS) ## all tests under the address and undefined-behaviour sanitizers
	$(call say,'Building with ASan and UBSan')
	@ninja -C build-sanitize -j $(JOBS) $$(test -t 1 || echo --quiet)
	@$(MESON) install -C build-sanitize --no-rebuild --only-changed --quiet
	@ASAN_OPTIONS=allocator_may_return_null=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	    $(MESON) test -C build-sanitize --no-rebuild --print-errorlogs --quiet --timeout-multiplier 10
	@LD_PRELOAD="$(ASAN_LIBS)" PYTHONPATH="$(CURDIR)/build-sanitize/stage" PYTHONMALLOC=malloc \
	    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
	    UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	    CORTEN_FUZZ_SECONDS=600 \
	    $(PYTEST) -q -n 2 --dist worksteal -p no:cacheprovider tests --ignore=tests/conformance --ignore=tests/style

build-tsan/build.ninja: | $(TOOLS)
	@$(MESON) setup build-tsan $(SANITIZED) -Db_sanitize=thread -Dpython=false

tsan: build-tsan/build.ninja ## C tests under the thread sanitizer
	$(call say,'Building with TSan')
	@ninja -C build-tsan -j $(JOBS) $$(test -t 1 || echo --quiet)
	@TSAN_OPTIONS=halt_on_error=1:allocator_may_return_null=1 \
	    $(MESON) test -C build-tsan --no-rebuild --print-errorlogs --quiet --timeout-multiplier 20

# libFuzzer comes with clang. Fuzzes each reader in turn for FUZZ_SECONDS; findings are in
# build-fuzz/found.
FUZZ_SECONDS ?= 600
READERS      ?= npy npz pt pickle safetensors table png jpeg ppm

build-fuzz/build.ninja: | $(TOOLS)
	@CC=clang $(MESON) setup build-fuzz $(SANITIZED) -Db_sanitize=address,undefined -Dpython=false \
	    -Disas=baseline -Dtests=false -Dfuzz=true -Dc_args=-fsanitize=fuzzer-no-link

fuzz: build-fuzz/build.ninja ## fuzz the file readers, ten minutes each
	@ninja -C build-fuzz -j $(JOBS) $$(test -t 1 || echo --quiet)
	@mkdir -p build-fuzz/found && tar -xJf tests/fuzz/corpus/found.tar.xz -C build-fuzz/found
	@for r in $(READERS); do mkdir -p build-fuzz/found/$$r && \
	    UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 build-fuzz/tests/fuzz/fuzz_$$r -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=10 -rss_limit_mb=4096 \
	        -print_final_stats=1 -verbosity=0 -artifact_prefix=build-fuzz/found/$$r- \
	        build-fuzz/found/$$r tests/fuzz/corpus/$$r || exit 1; done

valgrind: build ## C tests and examples under valgrind: no leaks, no invalid reads
	@$(MESON) test -C build --no-rebuild --print-errorlogs --quiet --timeout-multiplier 40 --no-suite long \
	    --wrapper='valgrind -q --leak-check=full --error-exitcode=9'

analyze: build ## gcc's analyzer over all C files; CLANG=--clang: clang's
	@$(BIN)/python tests/style/analyze.py build --jobs $(JOBS) $(CLANG)

# PyTorch is the judge of `make conformance` and `make record`, never a part of Corten: it gets an environment of its own,
# or CORTEN_TORCH_PYTHON names a Python that has it.
ifndef CORTEN_TORCH_PYTHON
conformance record: export CORTEN_TORCH_PYTHON := $(CURDIR)/.venv-torch/bin/python
conformance record: | .venv-torch/bin/python
endif

.venv-torch/bin/python:
	$(call say,'Getting PyTorch 2.15 into .venv-torch (once, large)')
	@$(PYTHON) -m venv .venv-torch
	@.venv-torch/bin/python -m pip install -q 'torch==2.15.*' numpy || { rm -rf .venv-torch; exit 1; }

conformance: build ## compare every operation with PyTorch 2.15
	@$(BIN)/python tests/conformance/run.py
	@"$$CORTEN_TORCH_PYTHON" tests/conformance/record.py

record: ## update all results that the tests have recorded from PyTorch 2.15
	@"$$CORTEN_TORCH_PYTHON" tests/conformance/record.py

bench: build ## time every operation, and PyTorch's (CORTEN_TORCH_PYTHON) and NumPy's
	@$(BIN)/python bench/rows.py

# One wheel for each interpreter: make wheel PYTHONS='python3.12 python3.13'.
PYTHONS ?= $(BIN)/python

wheel: $(TOOLS) ## build wheels into dist/, for PYTHONS
	@for p in $(PYTHONS); do $$p -m pip wheel -q --no-deps --wheel-dir dist . || exit 1; done
	@ls -l dist

sdist: $(TOOLS) ## build a source archive of the last commit into dist/
	@mkdir -p dist
	@git archive --format=tar.gz --prefix=corten-$$(git describe --always)/ -o dist/corten-$$(git describe --always).tar.gz HEAD
	@ls -l dist

# A C library needs none of the above: meson and ninja, from the system or, once, from PyPI, and a
# Python without headers for the generator.
ISAS   ?= baseline,avx2,avx512
LIBDIR ?= lib

install: ## install the plain C library under PREFIX (default ~/.local); ISAS=baseline: a small one
	@command -v meson >/dev/null && command -v ninja >/dev/null || { \
	    test -x $(BIN)/python || $(PYTHON) -m venv $(VENV); $(BIN)/python -m pip install -q 'meson>=1.3' ninja; }
	@test -e build-c/build.ninja || meson setup build-c --libdir=$(LIBDIR) -Dpython=false -Dtests=false >/dev/null
	@meson configure build-c --prefix="$$(realpath -m "$(PREFIX)")" --libdir=$(LIBDIR) -Disas=$(ISAS)
	@ninja -C build-c -j $(JOBS) $$(test -t 1 || echo --quiet)
	@meson install -C build-c --no-rebuild --strip --quiet
	@$(PYTHON) cmake/report.py "$(DESTDIR)$$(realpath -m "$(PREFIX)")/$(LIBDIR)"

docs: build ## run the tutorials and build the site into build/site
	$(call say,'Running the tutorials')
	@$(BIN)/python docs/notebook.py docs/tutorials/*.ipynb
	@$(BIN)/python docs/site.py build/site

format: $(CHECKS) ## format all C and Python files
	@git ls-files '*.c' '*.h' | grep -v '^include/corten/ops.h$$' | xargs clang-format -i
	@$(BIN)/ruff check --fix --quiet .

clean: ## remove the build folders (not .venv)
	rm -rf build build-* dist
