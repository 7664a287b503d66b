# make handouts: build every sheet.  make test: lint, types and tests.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: handouts test format clean

handouts: $(READY)
	$(BIN)/derive build

test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The pinned packages first, then this package itself without looking for any other.
$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

clean:
	rm -rf build/out .venv .mypy_cache .ruff_cache .pytest_cache
