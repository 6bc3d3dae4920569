# `make demo` and `make test` set up .venv by themselves; once set up they need no network.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test long browser nightly ecosystem mutants check compare format docs films site links dist setup clean

demo: $(READY)
	$(BIN)/banquet demo

test: $(READY)
	$(BIN)/python -m pytest

long: $(READY)
	$(BIN)/python -m pytest -m long $(if $(BUDGET),--budget $(BUDGET)) $(if $(ONLY),-k "$(ONLY)")

# Whole games by clicks in Debian's Chromium, which is installed where it is missing and may be; else the tests say why they skip.
browser: $(READY)
	command -v chromedriver > /dev/null || apt-get install -y --no-install-recommends chromium chromium-driver || true
	$(BIN)/python -m pytest -n0 -m long tests/serve

nightly: $(READY)
	$(BIN)/python -m pytest -m nightly

# make mutants GAME=polite_society [SEED=2026] [N=40] [FILES=observation.py] [ONLY=hands.py:471]
mutants: $(READY)
	$(BIN)/python -m tests.mutants $(GAME) --seed $(or $(SEED),2026) -n $(or $(N),40) \
	    $(if $(FILES),--files $(FILES)) $(if $(ONLY),--only $(ONLY))

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

compare: $(READY)
	$(BIN)/python -m benchmarks.compare --base $(or $(BASE),HEAD~1)

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(READY)
	$(BIN)/python docs/generate.py

# make films [GAME=polite_society]
films: $(READY)
	$(BIN)/python docs/films.py $(GAME)

# The documentation in build/site; whatever is wrong with a page, or leads nowhere, fails. Needs no network.
site: $(READY)
	$(BIN)/python -m sphinx -W --keep-going -q -b html -c docs . build/site

# Addresses outside the project, too: needs a network.
links: $(READY)
	$(BIN)/python -m sphinx -W --keep-going -q -b linkcheck -c docs . build/links

# Wheel and source distribution in dist/, then the tests of what is installed from them.
dist: $(READY)
	rm -rf build/lib dist
	$(BIN)/python -m build
	$(BIN)/python -m pytest -n0 -m "" tests/packaging

# Everybody else's loops (docs/ecosystem.md): what agrees on its pins in one environment, the others in one each.
ecosystem: .venv-ecosystem/.ready .venv-rllib/.ready .venv-agilerl/.ready
	.venv-ecosystem/bin/python -m pytest -n0 tests/ecosystem
	.venv-rllib/bin/python -m pytest -n0 -m "long or not long" tests/ecosystem/test_rllib.py
	.venv-agilerl/bin/python -m pytest -n0 tests/ecosystem/test_agilerl.py

LOOSE_rllib := gymnasium|pettingzoo
LOOSE_agilerl := pettingzoo|tensordict|fsspec|pillow
.venv-%/.ready: pyproject.toml constraints.txt
	test -x .venv-$*/bin/python || $(PYTHON) -m venv .venv-$*
	grep -v -E '^($(or $(LOOSE_$*),none))==' constraints.txt > .venv-$*/constraints.txt
	.venv-$*/bin/python -m pip install --quiet -c .venv-$*/constraints.txt "$$(grep '^torch==' constraints.txt)"
	.venv-$*/bin/python -m pip install --quiet -c .venv-$*/constraints.txt -e ".[$*]" pytest pytest-xdist
	touch $@

setup: $(READY)

# torch first and by exact version: a looser request can bring several GB of CUDA.
$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet -c constraints.txt "$$(grep '^torch==' constraints.txt)"
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[dev]"
	touch $(READY)

clean:
	rm -rf .venv .venv-* build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache
