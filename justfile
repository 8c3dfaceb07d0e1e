# The commands of Retile. Everything here is a plain cargo command too: see README.md.

# List the commands
default:
    @just --list

# Play what is missing or stale, verify everything, and say what was done
reproduce *ARGS:
    cargo run --release -- reproduce {{ARGS}}

# Run all tests
test *ARGS:
    cargo test --release {{ARGS}}

# Run the frozen tests of engine and agents on aarch64, and on x86-64 without AVX2 and BMI2, both emulated
frozen:
    sh pipeline/tests/install-aarch64
    sh pipeline/tests/frozen

# Build everything for aarch64 and play the first game of each experiment under emulation, or of those up to SECONDS of CPU time a game
aarch64 SECONDS="1000000":
    sh pipeline/tests/aarch64 {{SECONDS}}

# Read many more damaged manifests, records, studies, bundles, boards and messages than the tests do: `just fuzz 100000`
fuzz CASES="20000":
    PROPTEST_CASES={{CASES}} cargo test --release --package pipeline --test fuzz
    PROPTEST_CASES={{CASES}} cargo test --release --package pipeline --lib fuzz

# Change the code in small ways, and see whether a unit test notices: `just mutants pipeline/src/plan/mod.rs plan::`
mutants FILE *TESTS:
    cargo mutants --in-place --output target --profile release --file "{{FILE}}" --cargo-arg=--lib \
        --cargo-arg=--config=profile.release.incremental=true --cargo-arg=--config=profile.release.opt-level=0 -- -- {{TESTS}}

# Run the Python packages that the search methods are held against, and store what they come to
fixtures:
    python3 -m venv target/fixtures
    target/fixtures/bin/pip install --quiet --requirement pipeline/crates/search/fixtures/requirements.txt
    target/fixtures/bin/python pipeline/crates/search/fixtures/gaussian.py
    MPLBACKEND=Agg target/fixtures/bin/python pipeline/crates/search/fixtures/genetic.py

# Check format and lints
lint:
    cargo fmt --all --check
    cargo clippy --release --workspace --all-targets -- -D warnings

# Check dependencies: known vulnerabilities, licences, sources, duplicate versions
deny *ARGS="check":
    .ci/deny {{ARGS}}

# Look for memory errors: engine, networks and agents with AddressSanitizer, C plugins under valgrind
memory:
    bash .ci/memory

# Measure speed: ratios within one run, and absolute figures with the processor's name
bench:
    cargo bench

# Have agents learn, or go on where a training was stopped: `just train --dry-run` says what it would take
train *ARGS:
    cargo run --release -- train {{ARGS}}

# Play on a cluster with Slurm: `just cluster submit --dry-run`, then status, retry, collect
cluster *ARGS:
    cargo run --release -- cluster {{ARGS}}

# A few quick games of everything in a scratch folder
smoke:
    cargo run --release -- reproduce --smoke

# Replay every stored record, and play one game of each experiment again
verify *ARGS:
    cargo run --release -- verify --current --recompute 1 {{ARGS}}

# Tables, figures and the report again, from stored records
render *ARGS:
    cargo run --release -- render {{ARGS}}

# The verdict on every claim
claims *ARGS:
    cargo run --release -- claims {{ARGS}}

# The results of this commit in one file, retile-<commit>.tar.zst, for a reviewer or an archive
bundle *ARGS:
    cargo run --release -- bundle {{ARGS}}

# Say what changed between two revisions or result folders: `just diff main HEAD`
diff *ARGS:
    cargo run --release -- diff {{ARGS}}

# Any other command of the pipeline: `just pipeline agents`
pipeline *ARGS:
    cargo run --release -- {{ARGS}}

# All that a change must pass
ci:
    bash .ci/run
