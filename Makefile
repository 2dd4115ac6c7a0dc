# Trackside: `make demo` to see it, `make test` and `make check` to change it. CONTRIBUTING.md explains each.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := demo

PYTHON ?= python3
# The index that is searched first for torch: its CPU build is many times smaller than the one with CUDA. Empty: none.
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
WORLD ?= drawn
SERVE ?= yes
PORT ?= 8000
BROWSER ?= yes
FULL ?= no
STORE ?= no
# Of make mutants: mutants per module, random seed, a subject or the start of a module's name.
SAMPLE ?=
SEED ?= 0
ONLY ?=

HAS_BROWSER := $(if $(filter no,$(BROWSER)),,yes)
NEEDED := $(if $(HAS_BROWSER),browser)
LEFT_OUT := $(if $(HAS_BROWSER),, and not browser)
SAY_LEFT_OUT := $(if $(HAS_BROWSER),true,echo "BROWSER=no: the tests that need Chromium were left out.")

VENV := .venv
RUN := $(VENV)/bin/python
SITE := $(VENV)/installed
TOOLS := $(VENV)/installed-tools
BIOME := tools/node_modules/.bin/biome

# Python must store byte code: a dozen processes import torch and Django, and each would compile them for ten seconds.
unexport PYTHONDONTWRITEBYTECODE

# Tests of documents, wording and sizes: not of the site.
META := tests/documents tests/structure/test_sizes.py
LEFT_TO_META := $(META:%=--ignore=%)

.PHONY: demo photos lint-docs test test-whole test-long test-all check format bench simulations messages mutants screens browser constraints dist

demo: $(SITE) $(filter photos,$(WORLD))
	@$(if $(filter-out 0,$(PORT)),SITE_URL=$${SITE_URL:-http://127.0.0.1:$(PORT)}) \
		$(if $(filter photos,$(WORLD)),TRACKSIDE_VAR=$${TRACKSIDE_VAR:-var/photos}) \
		$(RUN) manage.py demo --world $(WORLD) --port $(PORT) $(if $(filter no,$(SERVE)),--no-serve)

# Real pictures and their judge: the stamps of Debian's Tux Paint, EfficientNet and MiniLM.
photos: $(SITE)
	@[ -d /usr/share/tuxpaint/stamps ] || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null \
		&& echo "Installing the pictures" && apt-get -qq update \
		&& apt-get -qq install -y --no-install-recommends tuxpaint-stamps-default > /dev/null; } \
		|| { echo "The pictures are Debian's: sudo apt-get install tuxpaint-stamps-default"; exit 1; }
	@$(RUN) -m pip install -q -c constraints.txt ./tools/photo_judge

# The ten slowest are printed; mark tests that take seconds as `whole`.
test: $(TOOLS) $(NEEDED)
	@$(RUN) -m pytest -n 3 --dist loadgroup --durations=10 $(LEFT_TO_META) -m "not long and not whole$(LEFT_OUT)"
	@$(SAY_LEFT_OUT)

test-whole: $(TOOLS) $(NEEDED)
	@$(RUN) -m pytest -n 3 --dist loadgroup $(LEFT_TO_META) -m "whole and not long$(LEFT_OUT)"
	@$(SAY_LEFT_OUT)

lint-docs: $(TOOLS) $(NEEDED)
	@$(RUN) -m pytest -n 3 --dist loadgroup -m "not long$(LEFT_OUT)" $(META)

test-long: $(TOOLS) browser
	@$(RUN) -m pytest -o timeout=3600 -m long

# Every test; those at full length run one after the other, because they measure memory and processor time.
test-all:
	@$(MAKE) lint-docs
	@$(MAKE) test
	@$(MAKE) test-whole
	@$(MAKE) test-long

check: $(TOOLS) $(BIOME)
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/djangofmt --check templates
	@$(VENV)/bin/djangofmt check templates
	@$(BIOME) ci --colors=off --error-on-warnings assessment/static evaluation/static tests
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports
	@$(RUN) tools/budget.py
	@DATABASE_POOL_SIZE=0 $(RUN) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run # it would also query a database

format: $(TOOLS) $(BIOME)
	@$(VENV)/bin/ruff check --quiet --fix .
	@$(VENV)/bin/ruff format .
	@$(VENV)/bin/djangofmt templates
	@$(BIOME) check --colors=off --write assessment/static evaluation/static tests

# The texts to translate, from templates and code into evaluation/locale, and the compiled catalogues, which the site
# reads. Both are checked in. Needs GNU gettext (sudo apt-get install gettext).
messages: $(TOOLS)
	@DATABASE_POOL_SIZE=0 $(RUN) manage.py makemessages --all --add-location file --no-wrap --no-obsolete \
		$(addprefix --ignore=,tests/* $(VENV)/* var/* tools/* build/*)
	@DATABASE_POOL_SIZE=0 $(RUN) manage.py compilemessages --ignore '$(VENV)/*'

# Screenshots of every page for each role, in light and dark, on a phone and wide, into var/screens.
screens: $(TOOLS) browser
	@$(RUN) -m pytest -q -p no:warnings tests/browser/screens.py
	@echo "var/screens"

mutants: $(TOOLS)
	@$(RUN) -m tests.mutants --seed $(SEED) $(SAMPLE:%=--sample %) $(ONLY:%=--only %)

# Resumes: replays of the loop are kept in var/simulations.
simulations: $(TOOLS)
	@$(RUN) -m tests.simulations $(ONLY)

bench: $(TOOLS)
	@$(RUN) -m tests.benchmarks $(if $(filter yes,$(FULL)),--full) $(if $(filter yes,$(STORE)),--store)

# The packages of the site, then those of its tests and linters. Each file marks an installation, which make repeats
# only if one of the lists has changed.
$(SITE): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Trackside needs Python 3.11 or later: make PYTHON=/path/to/python3.11 ..."; exit 1; }
	@echo "Installing into $(VENV); the first time takes a minute or two."
	@[ -x $(RUN) ] || $(PYTHON) -m venv $(VENV)
	@$(RUN) -m pip install -q --no-compile -c constraints.txt --upgrade pip # Python's bundled pip may be twice as slow
	@$(RUN) -m pip install --no-compile --no-deps --retries 2 -c constraints.txt $(TORCH_INDEX:%=--extra-index-url %) torch | $(PROGRESS)
	@$(RUN) -m compileall -q $(VENV)/lib/python3*/site-packages/torch &> /dev/null & \
		$(RUN) -m pip install --no-compile -c constraints.txt -e '.[site,models,demo]' | $(PROGRESS); \
		wait $$! || true # some of torch is for later Pythons
	@touch $@

$(TOOLS): $(SITE)
	@echo "Installing what the tests need."
	@$(RUN) -m pip install --no-compile -c constraints.txt -e '.[site,models,demo,dev,pdf,remote,s3]' | $(PROGRESS)
	@touch $@

# The formatter and linter of scripts and style sheets: for `make check` alone, never for a site.
$(BIOME): tools/package-lock.json
	@command -v npm > /dev/null || { echo "make check needs npm (Node.js 18 or later) for the linter of scripts and" \
		"style sheets: sudo apt-get install npm"; exit 1; }
	@echo "Installing the linter of scripts and style sheets into tools/node_modules."
	@npm ci --prefix tools --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

PROGRESS = awk '/^(Collecting|Obtaining|Requirement)/ { if (++n % 20 == 0) print "  " n " packages looked at"; fflush() } \
	/^Installing collected/ { print "  unpacking"; fflush() }'

# Debian's Chromium: the tests use the installed one.
browser:
	@command -v chromium > /dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null \
		&& echo "Installing Chromium" && apt-get -qq update && apt-get -qq install -y chromium > /dev/null; } \
		|| { echo "The browser tests need Chromium: sudo apt-get install chromium (or: make test BROWSER=no)"; exit 1; }

# The versions of this working copy, for constraints.txt: torch without its build, so that any build satisfies it, and
# what redis also needs on Python before 3.11.3, such as Debian 12's.
constraints: $(TOOLS)
	@{ $(RUN) -m pip freeze --exclude-editable | sed -E '/^(nvidia|cuda|triton|async-timeout)/d; s/^(torch==[0-9.]+).*/\1/'; \
		$(RUN) -m pip freeze --all | grep '^pip=='; echo async-timeout==5.0.1; } | sort --ignore-case > constraints.txt
	@touch $(SITE) $(TOOLS)

# The tools have a virtual environment of their own, because their versions are not pinned. build/ is removed, because
# setuptools would pack its old files again.
dist: $(SITE)
	@rm -rf build var/dist && $(RUN) -m venv var/dist/tools
	@var/dist/tools/bin/pip install -q twine check-wheel-contents
	@$(RUN) -m pip wheel -q --no-deps -w var/dist .
	@var/dist/tools/bin/twine check --strict var/dist/*.whl
	@var/dist/tools/bin/check-wheel-contents var/dist/*.whl
