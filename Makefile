# What one does with this repository, in words. Works with GNU make 3.81, which is what macOS has.

.DEFAULT_GOAL := help
SHELL := /bin/bash

# Where it is set, every process that a test starts would compile all sources anew.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
NODE := PATH="$(CURDIR)/$(BIN):$$PATH"
PYTEST := $(BIN)/python -m pytest
# Much of the tests' time is waiting, so there are three times as many as cores: a sixth less time than with twice as many.
WORKERS := $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) * 3 )))
LOCK := CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links

##@ Play
.PHONY: help play window serve
help: ## show this list
	@awk 'BEGIN { FS = ":.*## " } /^##@/ { print "\n" substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

play: setup ## open the terminal client; it starts a hub when none answers (ARGS="--name Ada")
	@$(BIN)/parlour $(ARGS)

window: setup ## open the client in a window (ARGS="--name Ada")
	@$(BIN)/parlour window $(ARGS)

serve: setup ## run a hub (ARGS="--host 0.0.0.0 --redis redis://localhost")
	@$(BIN)/parlour-server $(ARGS)

##@ Set up
.PHONY: setup tools lock clean
setup: .venv/.play ## make .venv with what playing needs; does nothing when it is up to date
tools: .venv/.develop ## the same with what developing needs

.venv/.play: requirements.lock pyproject.toml
	@scripts/setup play

.venv/.develop: requirements-dev.lock requirements.lock pyproject.toml
	@scripts/setup develop

lock: tools ## renew both lock files within the ranges of pyproject.toml (ARGS=--upgrade for the newest)
	$(LOCK) $(ARGS) --extra server --extra window --output-file requirements.lock pyproject.toml requirements.in
	$(LOCK) $(ARGS) --extra server --extra window --extra dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml requirements.in

clean: ## remove .venv, caches and build results
	rm -rf .venv node_modules tests/bench/node_modules build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis htmlcov
	rm -f .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

##@ Check and test
.PHONY: test check collected warm style types imports page format faults fuzz screens perft coverage bench screenshots browsers test-tools
test: test-tools tools ## everything that CI runs
	@# Side by side: the types of the Python take as long as all the rest, and npm and the disk leave a core free.
	@$(MAKE) --no-print-directory -j 3 check collected warm
	$(PYTEST) -n $(WORKERS) --dist loadscope -m "not bench" $(ARGS)

test-tools:
	@scripts/install-test-tools

check: style types imports page ## style, types and the direction of imports, of the page, too

style: tools
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: tools
	$(BIN)/mypy

imports: tools
	$(BIN)/lint-imports --no-logo

page: node_modules/.package-lock.json
	$(NODE) node_modules/.bin/tsc --project .
	$(NODE) node_modules/.bin/biome check --error-on-warnings

# In a fresh clone the first that reads the tests compiles them; left to the processes that run them, each would.
collected: tools node_modules/.package-lock.json
	@$(PYTEST) --collect-only --quiet --quiet -m "not bench" >/dev/null || $(PYTEST) --collect-only --quiet -m "not bench"

# On a machine that was just set up a browser is read from a cold disk. In the middle of the run that would hold up the
# flushes of all stores, and hubs would take them for away.
warm: test-tools
	@cat /usr/lib/chromium/* /usr/lib/*/libwebkit2gtk-4* /usr/lib/*/libjavascriptcoregtk-4* >/dev/null 2>&1 || true

# npm writes this file last, so it is there only when all is. Scripts of packages are not run.
node_modules/.package-lock.json: package-lock.json .venv/.develop
	$(NODE) npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

format: tools node_modules/.package-lock.json ## put the sources into shape
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format
	$(NODE) node_modules/.bin/biome check --write

faults: tools test-tools ## kill, cut and flood in full; ends with a table (PART="clocks kills", ARGS="-k Q7" for some)
	@$(BIN)/python -m tests.faults $(PART) -- $(ARGS)

browsers: tools test-tools node_modules/.package-lock.json ## play in real browsers: everything, some minutes; make test has the short form
	PARLOUR_BROWSERS=full $(PYTEST) -n 2 --dist loadfile --timeout 1800 tests/browser tests/traces $(ARGS)

fuzz: tools test-tools node_modules/.package-lock.json ## throw random input at everything in full
	PARLOUR_FUZZ=full $(PYTEST) -n 4 --dist load --maxschedchunk 1 --timeout 7200 -m "fuzz or hypothesis" $(ARGS)

screens: tools test-tools node_modules/.package-lock.json ## the terminal client in every state, size and way; make test has each once
	PARLOUR_SCREENS=full $(PYTEST) -n auto --dist loadscope -m screens $(ARGS)

perft: tools ## count the positions of every game to full depth
	PARLOUR_PERFT=full $(PYTEST) --timeout 1800 tests/perft $(ARGS)

coverage: tools test-tools ## which branches the tests reach, module by module
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -m "not bench" $(ARGS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

screenshots: tools test-tools ## draw every screen of the window, and those of the page, into docs/pictures
	$(BIN)/python -m tests.client.window.make_screenshots $(ARGS)
	$(BIN)/python -m tests.browser.make_screenshots

tests/bench/node_modules/.package-lock.json: tests/bench/package-lock.json .venv/.develop
	$(NODE) npm --prefix tests/bench ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

bench: tools test-tools tests/bench/node_modules/.package-lock.json ## measure speed and memory of a real hub
	$(BIN)/python -m tests.bench $(ARGS)

strength: tools ## play the computer's levels against each other; takes hours in full (ARGS="--games 20 --only square")
	$(BIN)/python -m tests.bench.strength $(ARGS)

##@ Ship
.PHONY: image
image: ## build the container image
	scripts/build-image
