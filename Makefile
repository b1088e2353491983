# SPDX-License-Identifier: GPL-3.0-or-later
# `make play` and `make test` install what is missing, once; `make check` is for developers.

SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=

.PHONY: play test check bench bench-hearing clean install

play: install
	@$(BIN)/acessivel play $(ARGS)

test: install
	@$(MAKE) --no-print-directory check
	@$(BIN)/pytest $(ARGS)

check: install
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: install
	@$(BIN)/python scripts/bench.py $(ARGS)

bench-hearing: install
	@$(BIN)/python scripts/bench_hearing.py

install: $(VENV)/.system $(VENV)/.installed

$(VENV)/.system: system-packages.txt scripts/install-system-packages
	@scripts/install-system-packages system-packages.txt
	@mkdir -p $(VENV) && touch $@

# --system-site-packages: liblouis's and BrlAPI's Python bindings are Debian packages, not on PyPI.
$(VENV)/.installed: pyproject.toml $(VENV)/.system
	@echo "Preparing the Python environment in $(VENV) (once)."
	@python=$$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || command -v python3); \
	  $$python -m venv --system-site-packages $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[voice,vosk,dev]'
	@touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
