# make handouts: build every sheet.  make test: lint, types and tests.  make dist: a wheel, an sdist and what is in them.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: handouts test format dist clean

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

# All files in the archives bear one date, so that the same sources give the same bytes on any day.
dist: export SOURCE_DATE_EPOCH ?= 1580601600
dist: $(READY)
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/python -m derive.contents dist/*.whl en > dist/CONTENTS.md
	$(BIN)/python -m derive.contents dist/*.whl zh > dist/CONTENTS.zh.md

# The pinned packages first, then this package itself without looking for any other.
$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

clean:
	rm -rf build/out dist .venv .mypy_cache .ruff_cache .pytest_cache
