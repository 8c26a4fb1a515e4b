# Everything is created inside the checkout: .venv/ (Python packages) and var/ (database, caches, mail).
SHELL := /bin/sh
.DEFAULT_GOAL := help
UV_VERSION := 0.13.7
VENV := .venv
PYTHON := $(VENV)/bin/python
UV := $(VENV)/bin/uv
PO := $(wildcard training/locale/*/LC_MESSAGES/django.po)
SEARCHED := $(shell find rules_engine training/search training/library training/rulebooks -name '*.py' -o -name '*.toml' -o -name '*.csv')
STATIC := $(shell find training/static -type f 2>/dev/null)

export UV_CACHE_DIR := $(CURDIR)/var/cache/uv
export PIP_CACHE_DIR := $(CURDIR)/var/cache/pip
# Trust the machine's certificates: a company network may have its own certificate authority.
export UV_SYSTEM_CERTS := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# pip asks Rust for its version; rustup would then write into the home directory.
export RUSTUP_HOME := $(CURDIR)/var/cache/rustup
unexport VIRTUAL_ENV PYTHONHOME
# Keep compiled modules: without them a process takes more than twice as long to start.
unexport PYTHONDONTWRITEBYTECODE

# Two more than the number of cores, because many tests wait for programs that they start.
TESTERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 2)')

DEMO := env SABOT_MODE=demo $(PYTHON) manage.py

# $(call install,lock file): install exactly what the lock file lists, with uv, or with pip if uv cannot download it.
define install
	@echo "[2/5] installing $$(grep -c '^[a-z].*==' $(1)) packages ($(1))…"
	@$(UV) pip sync --quiet --python $(PYTHON) --require-hashes $(1) \
		|| { echo "uv failed; trying pip…"; \
		     $(PYTHON) -m pip install --quiet --require-hashes --requirement $(1); }
endef

.PHONY: help setup setup-dev run test check bench bench-against scaling look room chaos soak mutants audit release-fixture sbom lock fmt clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

setup: $(VENV)/.installed $(VENV)/.messages $(VENV)/.static $(VENV)/.search ## install what the platform needs to run

setup-dev: $(VENV)/.installed-dev $(VENV)/.messages $(VENV)/.static $(VENV)/.search

run: setup ## start the platform with demo data (PORT=8000)
	@$(DEMO) prepare
	@exec $(DEMO) serve

# The checks run in parallel with the tests, and their output is shown at the end if they fail. The recipe says `make`, because
# `make -n` would run a line that contains the variable for it, tests included.
test: setup-dev $(VENV)/.browser ## run every test, with the checks in parallel
	@mkdir -p var
	@make --no-print-directory check >var/check.log 2>&1 & checking=$$!; \
	trap 'kill $$checking 2>/dev/null' INT TERM; \
	$(PYTHON) -m pytest -n $(TESTERS) --dist worksteal --durations=20; tested=$$?; \
	wait $$checking || { cat var/check.log; echo "Sabot: the checks failed; see their output above." >&2; exit 1; }; \
	exit $$tested

check: setup-dev ## lint and format (Python, JavaScript, CSS, templates), types, layers, deployment settings, migrations, API schema
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/oxlint training/static
	$(VENV)/bin/oxfmt --check training/static
	$(VENV)/bin/djangofmt check templates
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports --no-cache
	SABOT_MODE=production SECRET_KEY=$$($(PYTHON) -c 'import secrets; print(secrets.token_urlsafe(48))') \
		ALLOWED_HOSTS=sabot.example DATABASE_URL=postgres://sabot.example/sabot CELERY_BROKER_URL=amqp://sabot.example// \
		EMAIL_URL=smtp://sabot.example DEFAULT_FROM_EMAIL=sabot@sabot.example $(PYTHON) manage.py check --deploy --fail-level WARNING
	$(DEMO) makemigrations --check --dry-run
	$(DEMO) spectacular --validate --fail-on-warn --file /dev/null

bench: setup-dev ## measure speed against yardsticks (FULL=1 DOC=docs/benchmarks.md ONLY="site grading")
	$(PYTHON) -m tests.bench --json var/bench.json $(if $(FULL),--full) $(if $(DOC),--doc $(DOC)) $(if $(ONLY),--only $(ONLY))

scaling: setup-dev ## measure the same load on 1, 2 and 4 workers with both brokers, and where they wait for locks (DOC=docs/scaling.md)
	$(PYTHON) -m tests.bench.scaling $(DOC)

bench-against: setup-dev ## compare the engine's speed with an earlier release (REF=commit)
	$(PYTHON) -m tests.bench.against $(REF)

room: setup-dev ## a room signs in at once and sits an exam, through the sample proxy (CANDIDATES=300 SECONDS=300)
	$(PYTHON) -m tests.room --candidates $(or $(CANDIDATES),300) --seconds $(or $(SECONDS),30)

chaos: setup-dev ## inject faults under load, then check that nothing was lost (SET_UP=embedded MINUTES=2 SEED=…)
	$(PYTHON) -m tests.chaos --set-up $(or $(SET_UP),embedded) --minutes $(or $(MINUTES),2) $(if $(SEED),--seed $(SEED))

look: setup-dev $(VENV)/.browser ## take a screenshot of every page, 360 and 1280 px, light and dark, pt and en (var/look; ROLE=hr)
	SABOT_LOOK=$(CURDIR)/var/look $(PYTHON) -m pytest -q -n $(TESTERS) tests/browser/test_accessibility.py $(if $(ROLE),-k $(ROLE))

soak: setup-dev ## kill web, workers, beat and broker during 30 minutes and 10,000 answers (SET_UP=rabbitmq, then redis)
	$(PYTHON) -m tests.chaos --set-up $(or $(SET_UP),rabbitmq) --minutes $(or $(MINUTES),30) --answers $(or $(ANSWERS),10000) \
		--trainees $(or $(TRAINEES),12) --kills $(if $(SEED),--seed $(SEED))

mutants: setup-dev ## change every number of every rulebook, then a sample of the code; tests must notice (SAMPLE=60 SEED=1)
	$(PYTHON) -m tests.mutants
	$(PYTHON) -m tests.code_mutants --sample $(or $(SAMPLE),60) --seed $(or $(SEED),1)

audit: $(VENV)/.python ## look for known vulnerabilities in the packages (needs the network; STRICT=1: fail if one cannot be looked up)
	@$(UV) venv --quiet --clear --python $(PYTHON) var/audit
	@$(UV) pip sync --quiet --python var/audit/bin/python --require-hashes requirements-audit.lock
	var/audit/bin/python deploy/audit.py $(if $(STRICT),--strict )requirements-dev.lock

release-fixture: setup-dev ## keep a database and documents of this release, which every later release must read
	$(PYTHON) -m tests.release_fixture

sbom: $(VENV)/.python ## write the bill of materials (CycloneDX, var/sbom.cdx.json)
	@mkdir -p var
	@$(PYTHON) deploy/sbom.py requirements.lock > var/sbom.cdx.json
	@echo "var/sbom.cdx.json"

# Without UPGRADE=1, packages that pyproject.toml does not name keep their locked version.
lock: COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header $(if $(UPGRADE),--upgrade)
lock: $(VENV)/.python ## lock package versions from pyproject.toml (UPGRADE=1: upgrade the indirect ones too)
	$(COMPILE) --extra platform --output-file requirements.lock pyproject.toml
	$(COMPILE) --extra platform --extra dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml
	$(COMPILE) --group audit --output-file requirements-audit.lock
	@! grep -nE '://|--find-links|index-url' requirements*.lock

fmt: setup-dev ## format the code
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .
	$(VENV)/bin/oxlint --fix training/static
	$(VENV)/bin/oxfmt training/static
	$(VENV)/bin/djangofmt check --fix templates

clean: ## remove everything that was created, including the demo database
	rm -rf $(VENV) var build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.python:
	@echo "[1/5] creating the Python environment…"
	@for python in python3.13 python3.12 python3.11 python3 python3.14; do \
		if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			$$python -m venv $(VENV) \
				|| { echo "Sabot: $$python cannot create virtual environments; install its venv package" \
				     "(Debian: apt-get install python3-venv)." >&2; exit 1; }; \
			$(PYTHON) -m pip install --quiet uv==$(UV_VERSION) || true; \
			touch $@; exit 0; \
		fi; \
	done; \
	echo "Sabot: Python 3.11 or newer is needed; found $$(python3 --version 2>&1 || echo none)." >&2; exit 1

# The development packages include the others, so `make run` after `make test` installs nothing.
$(VENV)/.installed: requirements.lock $(VENV)/.python
	$(if $(wildcard $(VENV)/.installed-dev),@$(MAKE) --no-print-directory $(VENV)/.installed-dev,$(call install,requirements.lock))
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock $(VENV)/.python
	$(call install,requirements-dev.lock)
	@touch $@ $(VENV)/.installed

# Messages and static files need the packages, but installing packages alone does not rebuild them.
$(VENV)/.messages: $(PO) | $(VENV)/.installed
	@echo "[3/5] compiling messages…"
	@rm -f training/locale/*/LC_MESSAGES/django.mo
	$(if $(PO),@$(VENV)/bin/pybabel --quiet compile --domain django --directory training/locale)
	@touch $@

$(VENV)/.static: $(STATIC) requirements.lock | $(VENV)/.installed
	@echo "[4/5] collecting static files…"
	@$(DEMO) collectstatic --no-input --verbosity 0
	@touch $@

$(VENV)/.search: $(SEARCHED) | $(VENV)/.installed
	@echo "[5/5] indexing the rulebooks for the search…"
	@$(DEMO) index_search >/dev/null
	@touch $@

$(VENV)/.browser:
	@command -v chromium-headless-shell >/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "installing Chromium for the browser tests…"; \
			apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium-headless-shell >/dev/null; \
		else \
			echo "Sabot: the browser tests need Chromium (Debian: apt-get install chromium-headless-shell)." >&2; exit 1; \
		fi; }
	@touch $@
