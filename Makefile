# One folder of build results for every clone, so that the second clone builds in minutes.
export CARGO_TARGET_DIR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/adjutant/target

SEEDS ?= 2000
ARGS ?=
NEXTEST := $(shell cargo nextest --version >/dev/null 2>&1 && echo yes)
TEST := $(if $(NEXTEST),cargo nextest run,cargo test)
# One PostgreSQL server for the whole run; a test that finds none starts its own.
CLUSTER := $(CARGO_TARGET_DIR)/debug/adjutant-postgres-cluster

.PHONY: run test check fmt lint deny sim laws bench cluster setup

run: setup ## Build, then run a first mission end to end
	@cargo build --quiet --package adjutant-cli
	@scripts/first-mission "$(CARGO_TARGET_DIR)/debug/adjutant" $(ARGS)

test: setup lint deny cluster ## Every test: unit, golden, conformance, real processes, a minute of simulation, the laws
	$(CLUSTER) -- $(TEST) --workspace
	cargo test --quiet --doc --package adjutant-store
	$(MAKE) sim SEEDS=10000
	$(CLUSTER) -- tests/laws/run

check: setup fmt lint cluster ## What to run all day: format, lints, fast tests
	$(CLUSTER) -- $(if $(NEXTEST),cargo nextest run --workspace -E 'not package(adjutant-cli)',\
		cargo test --workspace --exclude adjutant-cli)

fmt:
	cargo fmt --all

lint:
	cargo fmt --all --check
	cargo clippy --quiet --workspace --all-targets -- --deny warnings

deny:
	@if cargo deny --version >/dev/null 2>&1; then cargo deny --log-level error check bans licenses sources; \
	else echo "deny: skipped, cargo-deny is not installed (cargo install --locked cargo-deny)"; fi

sim: setup ## Seeded worlds that crash: SEEDS=n for many, SEED=s to replay one
	cargo run --quiet --release --package adjutant-simulator -- \
		$(if $(SEED),--seed $(SEED) --trace,--seeds $(SEEDS))

laws: setup cluster ## Break each law on purpose and demand a red test
	$(CLUSTER) -- tests/laws/run

cluster:
	@bash scripts/setup tests
	@cargo build --quiet --package adjutant-postgres-cluster

setup:
	@bash scripts/setup
