# Everything a checkout needs: `make demo` and `make test` set themselves up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
export ZERMELO_CACHE ?= $(CURDIR)/.venv/native

NATIVE := src/zermelo/ready

.PHONY: programs demo wheel test test-all test-gpu lint bench docs clean

$(VENV)/base: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --constraint constraints.txt --editable .
	touch $@

$(VENV)/dev: $(VENV)/base
	$(PIP) install --quiet --constraint constraints.txt --editable ".[dev]"
	touch $@

demo: $(VENV)/base
	$(BIN)/zermelo demo --folder demo
	$(BIN)/zermelo warm --background

# A package for this platform that brings the native code of its games along.
wheel: $(VENV)/base
	rm -rf $(NATIVE)
	$(BIN)/zermelo warm --all --into $(NATIVE) $(GAMES)
	$(PIP) wheel --quiet --no-deps --wheel-dir dist . $$($(BIN)/python tools/wheel_tags.py); built=$$?; \
	rm -rf $(NATIVE); exit $$built

lint: $(VENV)/dev
	$(BIN)/ruff check src tests benchmarks docs tools
	$(BIN)/ruff format --check src tests benchmarks docs tools
	$(BIN)/mypy
	$(BIN)/lint-imports

programs:
	sh tests/programs.sh

test: $(VENV)/dev programs lint
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow and not gpu"

test-all: $(VENV)/dev programs lint
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not gpu" --cov --cov-report=term

test-gpu:
	$(PYTHON) -m pytest -m gpu tests

bench: $(VENV)/dev
	$(BIN)/python benchmarks/run.py

docs: $(VENV)/dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) build dist site demo
