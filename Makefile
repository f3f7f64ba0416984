# make demo: the whole way on a sandbox.   make test: every test.   Both set themselves up on a fresh machine.
.DEFAULT_GOAL := help
.PHONY: help demo fresh wheel pythons test test-large test-chaos coverage mutants thorough licences lint types format hooks lock bench
.PHONY: fuzz release clean setup precompile

PYTHON ?= $(shell tools/python)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

help:  ## What there is to make
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(STAMP)  ## The virtual environment from the hash-locked requirements

$(STAMP): requirements/dev.txt pyproject.toml tools/setup
	tools/setup $(PYTHON) $(VENV)
	@touch $@

demo: $(STAMP)  ## Compile a reference site, plan and apply it to a sandbox, plan again: nothing to do
	tools/demo $(BIN)/fabric

test: $(STAMP)  ## Every test; those that need a missing tool are skipped by name
	@tools/live $(VENV)
	$(BIN)/python -m pytest -n auto

NAUTOBOT := $(VENV)/nautobot
# What takes too long for every day: 320 switches and 4,090 HCAs under ibsim (two minutes), Nautobot importing a site, and
# the checks of Kubernetes and Kueue, which want Go 1.25 (three to five minutes of one core each). What is missing is
# skipped by name.
test-large: $(STAMP) $(NAUTOBOT)/.ready  ## The largest subnet under ibsim; exports loaded by Nautobot and by Kubernetes' checks
	@tools/live $(VENV)
	FABRIC_LARGE=1 $(BIN)/python -m pytest -m live --durations=0 tests/infiniband/test_large.py tests/exports/large

$(NAUTOBOT)/.ready: $(STAMP) requirements/nautobot.txt
	$(BIN)/python -m venv $(NAUTOBOT)
	$(NAUTOBOT)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/nautobot.txt
	@touch $@

test-chaos: $(STAMP)  ## 500 random changes with random accidents, over all products of the sandbox: an hour and a half
	FABRIC_CHAOS_FABRICS=50 FABRIC_CHAOS_TRIALS=10 $(BIN)/python -m pytest -n 6 tests/chaos

coverage: $(STAMP)  ## Every test, and the lines that none runs; fails below the floor in pyproject.toml
	@tools/live $(VENV)
	$(BIN)/python -m pytest -n auto --cov --cov-report=term --cov-report=html:build/coverage

PACKAGE ?= deployment planning
SAMPLE ?= 200
mutants: $(STAMP)  ## Planted faults that no test sees; fails below 90 %: make mutants [PACKAGE=qos|topology|...] [SAMPLE=200]
	$(BIN)/python tools/mutants.py $(SAMPLE) $(PACKAGE)

thorough: $(STAMP)  ## Twenty times the examples of every law, and every case of those that are sampled every day
	FABRIC_HYPOTHESIS=thorough $(BIN)/python -m pytest -n auto -m "(hypothesis and not live) or covering"

pythons: $(STAMP)  ## The built wheel on every Python of pyproject.toml that this machine has
	tools/pythons

SUITE ?= bookworm
AS ?= both
fresh:  ## The two commands on a bare Debian, as root and as a user: make fresh [SUITE=trixie] [AS=root|user|both]
	tools/fresh $(SUITE) $(AS)

lint: $(STAMP)  ## ruff: all rules, each exception with its reason in pyproject.toml
	$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(STAMP)  ## mypy, strict
	$(BIN)/mypy

# A test file that cannot be loaded is told by the run itself, not here.
precompile: $(STAMP)  ## Collect the tests once: the workers of the first run then find every file compiled
	@$(BIN)/python -m pytest --collect-only -qq >/dev/null 2>&1 || true

format: $(STAMP)  ## Format the code
	$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

hooks: $(STAMP)  ## Let git run lint and types at each commit
	$(BIN)/pre-commit install

wheel: $(STAMP)  ## dist/fabric_as_code-*.whl, for `pipx install` on other machines
	$(BIN)/python -m hatchling build -t wheel -d dist

bench: $(STAMP)  ## Time and memory beside pyavd, and the scaling table; writes bench/results.md
	$(BIN)/python -m bench

fuzz: $(STAMP)  ## An hour of hostile input
	FABRIC_FUZZ=400000 $(BIN)/python -m pytest -n auto tests/intent tests/documents tests/errors -k fuzz

licences: $(STAMP)  ## The licence of every package that the program needs
	$(BIN)/python tools/licences.py

lock: $(STAMP)  ## Pin the requirements anew
	$(BIN)/uv pip compile -q --universal --no-strip-extras --generate-hashes --python-version 3.11 --no-annotate --no-header pyproject.toml -o requirements/runtime.txt
	$(BIN)/uv pip compile -q --universal --no-strip-extras --generate-hashes --python-version 3.11 --no-annotate --no-header --group dev pyproject.toml -o requirements/dev.txt
	$(BIN)/uv pip compile -q --universal --no-strip-extras --generate-hashes --python-version 3.11 --no-annotate --no-header --group release -o requirements/release.txt
	echo 'libyang==2.8.0' | $(BIN)/uv pip compile -q --universal --no-strip-extras --generate-hashes --python-version 3.11 --no-annotate --no-header -c requirements/dev.txt - -o requirements/yang.txt
	printf '%s\n' axe-playwright-python==0.1.8 jupyterlab-drawio-render-extension==1.0.19 nicegui==3.18.0 | $(BIN)/uv pip compile -q --universal --no-deps --generate-hashes --python-version 3.11 --no-annotate --no-header - -o requirements/browser.txt
	echo 'pyavd>=6.4' | $(BIN)/uv pip compile -q --universal --no-strip-extras --generate-hashes --python-version 3.11 --no-annotate --no-header - -o requirements/pyavd.txt
	echo 'nautobot==3.2.7' | $(BIN)/uv pip compile -q --universal --no-strip-extras --generate-hashes --python-version 3.11 --no-annotate --no-header - -o requirements/nautobot.txt

release: $(STAMP)  ## dist/: sdist, wheel, SBOM, checksums, behind a commit and a tag: make release VERSION=0.2.0
	$(BIN)/python tools/release.py $(VERSION)

clean:  ## Remove what was made
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .fabric
