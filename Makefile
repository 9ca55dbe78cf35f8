# One folder of build results for every clone, so that the second clone builds in minutes.
export CARGO_TARGET_DIR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/adjutant/target

SEEDS ?= 2000
ARGS ?=
ADJUTANT := $(CARGO_TARGET_DIR)/debug/adjutant
NEXTEST := $(shell cargo nextest --version >/dev/null 2>&1 && echo yes)
TEST := $(if $(NEXTEST),cargo nextest run,cargo test)
TEST_EVERYTHING := $(TEST) --workspace $(if $(NEXTEST),--profile everything --test-threads $$((2 * $$(nproc))))
# One PostgreSQL server for the whole run; a test that finds none starts its own.
CLUSTER := $(CARGO_TARGET_DIR)/debug/adjutant-postgres-cluster
IS_COLD := $(if $(wildcard $(ADJUTANT)),,yes)
# Who changes code builds incrementally, from the first `make check` on. Who only runs and tests does not: writing down
# what an incremental build needs costs more than it saves, and code built one way is built again the other way.
ifeq ($(wildcard $(CARGO_TARGET_DIR)/debug/incremental/*)$(filter check,$(MAKECMDGOALS)),)
export CARGO_INCREMENTAL = 0
endif

.PHONY: run test check fmt lint deny sim laws cluster setup install bench-reader learn-reader learn-routing

run: setup ## Build, then run a first mission end to end
	@echo "Building Adjutant$(if $(IS_COLD), (the first time this takes 5 to 10 minutes on 2 cores))"
	@scripts/with-progress Building cargo build --package adjutant-cli
	@scripts/first-mission "$(ADJUTANT)" $(ARGS)

test: ## Every test: lints, licences, unit, golden, conformance, real processes, simulation, the laws
	@echo "Running every test: $(if $(IS_COLD),about half an hour on a fresh machine with 2 cores,about a quarter of an hour once built)"
	@$(MAKE) --no-print-directory setup lint deny cluster
	@echo "== Building the tests"
	@scripts/with-progress "Building tests" $(TEST) --workspace --no-run
	@echo "== Running the tests"
	$(CLUSTER) -- $(TEST_EVERYTHING)
	cargo test --quiet --doc --package adjutant-store
	@echo "== Simulating missions that crash"
	@$(MAKE) --no-print-directory sim SEEDS=10000
	$(CARGO_TARGET_DIR)/release/adjutant-sim --exhaustive --seeds 50
	@echo "== Breaking each law on purpose"
	SECONDS_MAX=900 $(CLUSTER) -- tests/laws/run

check: setup fmt lint cluster ## What to run all day: format, lints, the fast tests of what changed since it last passed
	@$(CLUSTER) -- scripts/test-changed

fmt:
	cargo fmt --all

lint:
	@echo "== Format and lints"
	cargo fmt --all --check
	@scripts/with-progress Linting cargo clippy --workspace --all-targets -- --deny warnings

deny: ## Licences, banned crates, sources, known vulnerabilities
	@bash scripts/deny

sim: setup ## Seeded worlds that crash: SEEDS=n for many, SEED=s to replay one
	@scripts/with-progress "Building the simulator" cargo build --release --package adjutant-simulator
	$(CARGO_TARGET_DIR)/release/adjutant-sim $(if $(SEED),--seed $(SEED) --trace,--seeds $(SEEDS))

laws: setup cluster ## Break each law on purpose and demand a red test, all of them
	ANEW=1 $(CLUSTER) -- tests/laws/run

cluster:
	@bash scripts/setup tests
	@scripts/with-progress "Building the test database" cargo build --package adjutant-postgres-cluster

install: setup ## Put an optimised `adjutant` on your PATH
	cargo install --locked --path crates/edges/cli

bench-reader: ## How well questions are answered out of the sample documents
	cargo run --release --quiet --package adjutant-reader --example measure_reader -- samples/velmoran samples/incident samples/tender samples/laboratory \
		$(patsubst %/documents,%,$(wildcard samples/public/documents samples/public/*/documents))

learn-reader: ## Learn how sure an answer is from the question sets that are for learning
	rm -f target/signs.jsonl
	cargo run --release --quiet --package adjutant-reader --example measure_reader -- --signs=target/signs.jsonl \
		samples/velmoran samples/incident $(patsubst %/documents,%,$(wildcard samples/public/*/documents))
	python3 bench/reader/learn_confidence.py target/signs.jsonl --write crates/knowledge/reader/src/confidence.rs

learn-routing: ## Learn which mission a question is worded for
	cargo run --quiet --package adjutant-rule-answers --example routing_signs \
		< tests/routing/development.json > target/routing-signs.jsonl
	python3 bench/routing/learn.py target/routing-signs.jsonl --write crates/models/rule-answers/data/routing_weights.txt

setup:
	@bash scripts/setup
