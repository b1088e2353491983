# SPDX-License-Identifier: GPL-3.0-or-later
# `make play` and `make test` install what each needs and is missing, once; `make check` and `make quick` are for developers.

SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
PYTHON := $(shell [ -x /usr/bin/python3 ] && echo /usr/bin/python3 || command -v python3)
PURPOSE := test
ARGS ?=
MACHINE ?=
TORCH := 2.13.0
PEOPLE = --people build/network/people.npz
SPARE = OPENBLAS_NUM_THREADS=1 GOMP_SPINCOUNT=0 OMP_WAIT_POLICY=PASSIVE $(BIN)/python -m
TRAIN = $(SPARE) voices.network.train --threads 1 $(MACHINE)
AVERAGE = $(BIN)/python -m voices.network.average
EVALUATE = $(BIN)/python -m voices.network.evaluate
# Those that take longest first: two are trained at once.
NETWORKS = first fourth second third
# Each file to one worker, so that what its tests share is made once, in the order of tests/conftest.py.
WORKERS := --dist loadfile --no-loadscope-reorder

.DELETE_ON_ERROR:

.PHONY: play test quick check architecture manual screenshots bench bench-levels bench-hearing bench-people bench-speaker network rehearsal evidence clean install hall bench-hall

play: PURPOSE := play
# By the Python of this folder, and with its code: both hold also where it was moved, and nothing could be made anew.
play: install
	@PYTHONPATH=$$PWD $(BIN)/python $(BIN)/acessivel play $(ARGS)

test: install $(VENV)/.tests
	@$(MAKE) --no-print-directory check
	@$(BIN)/pytest $(WORKERS) --numprocesses 4 $(ARGS)

# After each change: all that needs nothing but Python, each property with a tenth of its examples; a minute.
# What is compiled is kept, also where the environment says otherwise.
test quick: export PYTHONDONTWRITEBYTECODE=
quick: install
	@time { $(MAKE) --no-print-directory check && \
	  HYPOTHESIS_PROFILE=quick $(BIN)/pytest --dist worksteal --numprocesses 2 -m unit --quiet $(ARGS); }

check: install
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

# The tables of docs/architecture.md, from the code.
architecture: install
	@$(BIN)/python scripts/architecture.py

# The tables of options in docs and the man pages, from the table of options and the texts of the help.
manual: install
	@$(BIN)/python scripts/option_tables.py
	@$(BIN)/python scripts/man_page.py

# The pictures of the page in docs/images.
screenshots: install $(VENV)/.tests
	@$(BIN)/python scripts/screenshots.py $(ARGS)

# Mutated utterances, keys and files, one process a core: ARGS="--minutes 30"; each crash with what repeats it.
fuzz: install
	@$(BIN)/python scripts/fuzz.py $(ARGS)

# A PostgreSQL to try a hall with, until Ctrl+C: ARGS="--tables 10"; as root it runs as the user postgres.
hall: install $(VENV)/.tests
	@$(BIN)/python scripts/trial_hall.py $(ARGS)

# A round of 100 tables over a PostgreSQL of its own, with servers and tables killed and connections cut; some minutes.
# ARGS="--smooth" measures how soon the desk knows a move.
bench-hall: install $(VENV)/.tests
	@PYTHONPATH=scripts $(BIN)/python -m hall_round $(ARGS)

bench: install $(VENV)/.tests
	@$(BIN)/python scripts/bench.py $(ARGS)

# Each level of the engine against the one below, and the first against a careful beginner; some minutes.
bench-levels: install
	@$(BIN)/python scripts/bench_levels.py $(ARGS)

# Pico's and MBROLA's voices, which nothing was trained or tuned on; about half an hour on two cores.
bench-hearing: install
	@scripts/install-hearing-voices
	@$(BIN)/python scripts/bench_hearing.py $(ARGS)

# Recordings of people from Debian's packages, downloaded into build/people/ where they are missing (about 400 MB).
bench-people: install
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[people]'
	@$(BIN)/python scripts/bench_people.py $(ARGS)

# How much better the same people are heard when the ears have learnt from 20 of their announcements.
bench-speaker: install
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[people]'
	@$(BIN)/python scripts/bench_speaker.py $(ARGS)

# The acoustic networks from nothing: recordings by synthetic voices, by natural ones, by people; four networks, two at a
# time; their evaluation; then the small one that hears answers. What was interrupted goes on where it was: build/network
# keeps it.
# MACHINE='--device cuda --drawing 12': on an accelerator, from the same draws by as many processes.
network: install
	@scripts/install-hearing-voices
	@scripts/install-natural-voices
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==$(TORCH) -e '.[training,people]'
	@mkdir -p build/network
	@test -e build/network/people.npz || $(BIN)/python scripts/people_corpus.py build/network/people.npz
	@$(TRAIN) --natural $(ARGS)
	@$(MAKE) --no-print-directory --jobs 2 $(NETWORKS:%=build/network/%.onnx)
	@for each in $(NETWORKS); do \
	  $(BIN)/python -m voices.network.packed build/network/$$each.onnx voices/network/$$each.onnx && \
	  $(EVALUATE) voices/network/$$each.onnx build/network/held-out.npz && \
	  $(EVALUATE) voices/network/$$each.onnx --kind command || exit; done
	@$(SPARE) voices.network.train_answers --threads 1 --drawing 2 $(MACHINE) voices/network/answers.onnx
	@$(BIN)/python -m voices.network.evaluate_answers voices/network/answers.onnx

# Synthetic voices, then people too, and the mean of what that gave in between.
build/network/first.onnx:
	@$(TRAIN) --name voices --steps 20000 $(ARGS)
	@$(TRAIN) --name people --steps 8000 --start build/network/voices.onnx $(PEOPLE) $(ARGS)
	@$(TRAIN) --name more --steps 10000 --start build/network/people.onnx $(PEOPLE) $(ARGS)
	@$(TRAIN) --name most --seed 2 --steps 11000 --start build/network/more.onnx $(PEOPLE) $(ARGS)
	@$(AVERAGE) $@ $(addprefix build/network/,people.onnx more.onnx most.onnx)

# All of that, and natural voices, from the start; the fourth goes on from there twice, and is the mean.
build/network/second.onnx: SEED = 3
build/network/third.onnx: SEED = 4
build/network/second.onnx build/network/third.onnx:
	@$(TRAIN) --name $(basename $(@F)) --seed $(SEED) --steps 26000 --natural $(PEOPLE) $(ARGS)

build/network/fourth.onnx:
	@$(TRAIN) --name once --seed 1 --steps 30000 --natural $(PEOPLE) $(ARGS)
	@$(TRAIN) --name twice --seed 11 --steps 8000 --start build/network/once.onnx --natural $(PEOPLE) $(ARGS)
	@$(TRAIN) --name thrice --seed 12 --steps 8000 --start build/network/twice.onnx --natural $(PEOPLE) $(ARGS)
	@$(AVERAGE) $@ $(addprefix build/network/,once.onnx twice.onnx thrice.onnx)

# What the network must not unlearn when it gets to know a speaker, spoken by the same synthetic voices.
rehearsal: install
	@scripts/install-hearing-voices
	@$(BIN)/python -m voices.network.rehearsal

# What the recognisers say -> probabilities, fitted on voices and people that the network was not trained on.
evidence: install
	@scripts/install-hearing-voices
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'scipy>=1.11' -e '.[people]'
	@$(BIN)/python scripts/bench_people.py --split fit --until pocketsphinx
	@$(BIN)/python scripts/calibrate_evidence.py $(ARGS)

install: $(VENV)/.system $(VENV)/.installed

$(VENV)/.system: system-packages.txt scripts/install-system-packages
	@scripts/install-system-packages system-packages.txt play $@

# Those that only the tests and what measures need.
$(VENV)/.tests: system-packages.txt scripts/install-system-packages
	@scripts/install-system-packages system-packages.txt test $@

# An environment works only in the folder that it was made for, by whatever path that is reached: one that was moved or
# copied is made anew.
ANEW := $(shell made=$$(sed -n 's/^command = .* -m venv \(--[a-z-]* \)*//p' $(VENV)/pyvenv.cfg 2>/dev/null); \
  [ -z "$$made" ] || [ "$$made" -ef $(VENV) ] || echo anew)
ifneq ($(ANEW),)
.PHONY: $(VENV)/.installed
endif

$(VENV)/.installed: pyproject.toml | $(VENV)/.system
	@scripts/install-environment $(PYTHON) $(VENV) $(PURPOSE) $(ANEW)

clean:
	rm -rf $(VENV) $(VENV).before build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
