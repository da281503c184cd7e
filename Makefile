# `make help` lists the targets. Each one makes the virtual environment that it needs, once, and again when pyproject.toml
# changes; nothing but Python 3.11 or newer has to be there.
#
#   PYTHON   the Python to make environments with
#   PIP      further options of `pip install`. On Linux the default torch brings CUDA along; for its much smaller CPU
#            build name PyTorch's own index: PIP="--extra-index-url ..."
#   RECIPE, DATA, RUNS   what `make train` trains, from where, to where
#   ARGS     further arguments: of pytest for `test`, of `attendant` for `serve` and `train`, of each measurement for `bench`,
#            rows and options for `bench-peers` (ARGS="--help")

PYTHON ?= python3
PIP ?=
RECIPE ?= en-fr-transformer
DATA ?= ../shared/data
RUNS ?= runs
ARGS ?=

SERVE := .venv
DEV := .venv-dev
# The last thing that an installation writes: without it the environment is made anew, from nothing.
DONE := .installed
# Tests run in a process for each core, at most four; tests/conftest.py says which stay together.
WORKERS := --numprocesses auto --maxprocesses 4 --dist loadgroup --no-loadscope-reorder
# The same of the other servers' libraries, which go into the environment for development.
PEERS := .installed-peers
# The same of the library that plants faults.
MUTANTS := .installed-mutants
# The same of the aligner, which is compiled.
ALIGNER := .installed-aligner

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help serve gallery test test-slow check format train bench bench-peers mutants clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | expand -t 12

serve: $(SERVE)/$(DONE) ## Serve translations on 127.0.0.1:8000 (see docs/operations.md for the settings)
	@exec $(SERVE)/bin/attendant serve $(ARGS)

gallery: $(SERVE)/$(DONE) ## Serve every model of the store, not the defaults alone
	@ATTENDANT_MODELS=all exec $(SERVE)/bin/attendant serve $(ARGS)

# Hundreds of processes start in the tests: none compiles what another has compiled, whatever the shell says.
test test-slow: export PYTHONDONTWRITEBYTECODE :=

test: $(DEV)/$(DONE) ## Run the tests, but for the slow ones
	$(DEV)/bin/python -m pytest $(WORKERS) $(ARGS)

test-slow: $(DEV)/$(DONE) ## Run the tests that take minutes
	$(DEV)/bin/python -m pytest -m slow $(ARGS)

check: $(DEV)/$(DONE) ## Lint, check the formatting and the types
	$(DEV)/bin/ruff check .
	$(DEV)/bin/ruff format --check .
	$(DEV)/bin/mypy --strict service model_store/contract
	$(DEV)/bin/mypy --follow-imports silent model_store loadtests

format: $(DEV)/$(DONE) ## Format the sources and mend what the linter can mend
	$(DEV)/bin/ruff check --fix .
	$(DEV)/bin/ruff format .

train: $(DEV)/$(ALIGNER) ## Train RECIPE on the text in DATA; goes on where it stopped (needs a C compiler)
	@exec $(DEV)/bin/attendant train $(RECIPE) --data $(DATA) --runs $(RUNS) $(ARGS)

bench: $(DEV)/$(DONE) ## Run the measurements of docs/measurements.md, one after the other
	@for script in $$(grep -l __main__ loadtests/measure/*.py); do \
	  echo "== $$script"; $(DEV)/bin/python -m "loadtests.measure.$$(basename $$script .py)" $(ARGS); \
	done

bench-peers: $(DEV)/$(PEERS) ## Measure Attendant and its peers in turn: the table of docs/performance.md, and its details
	$(DEV)/bin/python -m loadtests.peers --data $(DATA) $(ARGS)

mutants: $(DEV)/$(MUTANTS) ## Plant faults into copies of the sources and count those that the tests find (an hour)
	$(DEV)/bin/python -m tests.mutants $(ARGS)

clean: ## Remove environments and caches; runs and bundles stay
	rm -rf $(SERVE) $(DEV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find service model_store loadtests tests -name __pycache__ -type d -prune -exec rm -rf {} +

# ---- environments ---------------------------------------------------------------------------------------------------

$(SERVE)/$(DONE): EXTRAS := serve
$(DEV)/$(DONE): EXTRAS := serve,train,test
$(SERVE)/$(DONE): THEN := $(SERVE)/bin/attendant prepare

$(SERVE)/$(DONE) $(DEV)/$(DONE): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Attendant needs Python 3.11 or newer; name one: make PYTHON=python3.12")'
	@if [ ! -e $@ ]; then echo "making $(@D) with $(EXTRAS)"; $(PYTHON) -m venv --clear $(@D); fi
	@rm -f $@
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check $(PIP) --editable '.[$(EXTRAS)]'
	@$(THEN)
	@touch $@

$(DEV)/$(ALIGNER): $(DEV)/$(DONE)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check $(PIP) --editable '.[align]'
	@touch $@

$(DEV)/$(MUTANTS): $(DEV)/$(DONE)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check $(PIP) --editable '.[mutants]'
	@touch $@

$(DEV)/$(PEERS): $(DEV)/$(DONE)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check $(PIP) --editable '.[peers]'
	@touch $@
