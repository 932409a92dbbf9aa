# SPDX-License-Identifier: BSD-3-Clause
# The few commands of Corten. `make help` lists them. Everything lands in this folder (.venv, build*),
# nothing needs root: a C compiler, make, git and Python 3.11 or newer are enough.

PYTHON ?= python3
JOBS   ?= $(shell nproc)
PREFIX ?= $(HOME)/.local

VENV   := $(CURDIR)/.venv
BIN    := $(VENV)/bin
TOOLS  := $(VENV)/.tools-ready
SITE    = $(shell $(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
MESON  := $(BIN)/meson
PYTEST := $(BIN)/python -m pytest

export PATH := $(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK = 1

say = @printf '\033[1m==> %s\033[0m\n' $(1)

.DEFAULT_GOAL := help
.PHONY: help build demo test sanitize tsan valgrind conformance wheel install bench format clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(TOOLS): requirements-dev.txt
	$(call say,'Getting the build tools from PyPI into .venv (once)')
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q -r requirements-dev.txt
	@touch $@

build/build.ninja: | $(TOOLS)
	$(call say,'Configuring')
	@$(MESON) setup build --prefix=$(VENV) -Dpython.install_env=venv -Dwerror=true > build-setup.log 2>&1 \
	    || { cat build-setup.log; rm -f build-setup.log; exit 1; }
	@mv build-setup.log build/

build: $(TOOLS) build/build.ninja ## build Corten and install it into .venv
	$(call say,'Building Corten')
	@set -e; fresh=$$(test -e build/src/libcorten.so.0 || echo yes); start=$$(date +%s); \
	ninja -C build -j $(JOBS) --quiet; \
	test -z "$$fresh" || echo $$(($$(date +%s) - start)) > build/clean-build-seconds
	@$(MESON) install -C build --no-rebuild --only-changed --quiet

demo: build ## build, then a short tour of what Corten does
	@$(BIN)/python examples/tour.py

test: build ## build and run all tests
	$(call say,'C tests and examples')
	@$(MESON) test -C build --no-rebuild --num-processes $(JOBS) --print-errorlogs --quiet
	$(call say,'Python tests')
	@$(PYTEST) -q -n 2 tests --ignore=tests/conformance
	$(call say,'Budget')
	@$(BIN)/python tests/style/budget.py build

clean: ## remove the build folders (not .venv)
	rm -rf build build-* dist
