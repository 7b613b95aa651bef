.DEFAULT_GOAL := help
.PHONY: help run setup quick test soak mutants screenshots check bench dev
PYTHON := .venv/bin/python
# If Python may not store bytecode, every process reads and rewrites all tests again.
unexport PYTHONDONTWRITEBYTECODE

help: ## what can be made
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

run: setup ## the site on http://127.0.0.1:8000 (HOST, PORT, DATABASE_URL, DATA_DIR from the environment)
	@exec $(PYTHON) -m polyhedral_site

setup: ## everything before serving: .venv, database, rules, samples
	@bin/venv requirements.txt
	@$(PYTHON) manage.py prepare

dev: ## .venv with what tests, checks and benchmarks need
	@bin/venv requirements-dev.txt

quick: dev ## most tests, on SQLite alone, with a smoke of the browser
	@$(PYTHON) -m tests.support.run_all quick

test: dev ## the whole suite on SQLite and on PostgreSQL, and the browser tests
	@$(PYTHON) -m tests.support.run_all test

soak: dev ## tests at random, races, kills and backups under writers, at full length
	@SOAK=1 $(PYTHON) -m pytest -n 2 tests/characters/levels
	@SOAK=1 $(PYTHON) -m pytest -s tests/characters/play/test_stateful.py
	@SOAK=1 $(PYTHON) -m pytest tests/characters/test_files.py tests/characters/test_journal.py tests/rules/test_export_rules.py
	@SOAK=1 $(PYTHON) -m pytest -s tests/characters/play_pages/test_bad_input.py
	@SOAK=1 $(PYTHON) -m tests.support.postgres -- $(PYTHON) -m pytest -s tests/characters/play_pages/test_bad_input.py
	@SOAK=1 $(PYTHON) -m pytest -n 2 tests/characters/test_keeping.py
	@SOAK=1 $(PYTHON) -m pytest -n 2 tests/characters/test_mutated_packs.py tests/characters/test_each_column.py
	@SOAK=1 $(PYTHON) -m pytest -s tests/test_backup_under_writers.py
	@$(PYTHON) -m tests.soak

mutants: dev ## a sample of mutants of the rules and the journal, each tried by the tests that reach it (DRAW, SEED)
	@$(PYTHON) -m tests.mutation --draw $(or $(DRAW),200) --seed $(or $(SEED),23)

screenshots: dev ## pictures of every page at two sizes, light and dark, into docs/screenshots
	@$(PYTHON) -m tests.screenshots

check: dev ## style, types, import directions, deployment settings, migrations, rules content, words
	@bin/check

bench: dev ## ratios to the least Django that does the job
	@$(PYTHON) -m bench
