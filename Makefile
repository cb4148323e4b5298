# Every target installs what it needs; `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help setup run test dependent apple mutants operators judge prove walks bench cluster container fuzz hostile kills format lint install deb docs

PREFIX ?= /usr/local
DESTDIR ?=
export PREFIX DESTDIR

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## install what building, linting and testing need (the other targets do this too)
	@.ci/setup build lint test

run: ## build the programs and run the demo
	@.ci/setup build
	@SWIFT_DETERMINISTIC_HASHING=1 swift build --product scened
	@SWIFT_DETERMINISTIC_HASHING=1 swift build --product scenectl
	@"$$(swift build --show-bin-path)/scenectl" demo

test: ## run all tests (ARGS='--filter X' runs some, VERBOSE=1 shows all output)
	@.ci/setup test
	@.ci/test $(ARGS)

dependent: ## test packages that depend on this one: of the documentation, and new apps (minutes, for the first time)
	@.ci/setup dependent
	@.ci/dependent $(ARGS)

mutants: ## check that the scenarios notice known mistakes (ARGS='NAME…' checks some, ARGS=page writes the table; ARGS='--shard 2/7', 'merge FILE…')
	@.ci/setup build
	@.ci/mutants $(ARGS)

operators: ## judge generated mutants of the runtime by all that tests it, and write the table (ARGS='200 7': how many, seed; 'sample 2')
	@.ci/setup build
	@.ci/operators $(ARGS)

judge: ## measure how many falsified histories the checker notices, and write the table (ARGS=100 tries more; ARGS='--shard 2/7', 'merge FILE…')
	@.ci/setup build
	@.ci/judge $(ARGS)

prove: ## prove each scenario that ships, and write the table (an hour, for the first time; ARGS='NAME…' proves some)
	@.ci/setup build
	@.ci/prove $(ARGS)

walks: ## take the random walks of the tests with other seeds, which takes minutes for each (ARGS='21 40': from, to; ARGS='--shard 2/7 1 700', 'merge FILE…')
	@.ci/setup build
	@.ci/walks $(ARGS)

bench: ## run the benchmarks
	@.ci/setup bench
	@.ci/bench $(ARGS)

cluster: ## share searches among the nodes of a Slurm cluster, and kill one (as root; ARGS='-- two-buyers --prove')
	@.ci/setup cluster
	@.ci/cluster $(ARGS)

container: ## build the image of .ci/Containerfile from Debian's packages and this machine's Swift, and run the daemon in it (as root)
	@.ci/setup container
	@.ci/container

fuzz: ## run every fuzz target for FUZZ_SECONDS (20) seconds (ARGS='--shard 2/7', 'merge FILE…')
	@.ci/setup fuzz
	@.ci/fuzz $(ARGS)

hostile: ## let a hostile crowd at the daemon (as root; ARGS='--only half-messages --seconds 60 --seed 7')
	@.ci/setup hostile
	@.ci/hostile $(ARGS)

kills: ## kill the daemon at every call that changes its state, by loss of power too, and 2,000 times at random (ARGS='--only power --seed 7')
	@.ci/setup kills
	@.ci/kills $(ARGS)

format: ## format the sources in place
	@swift format --in-place --recursive --parallel Sources Tests Package.swift

apple: ## check the types of what apps and their tests link for macOS, without an SDK (a minute or two)
	@.ci/setup build
	@.ci/apple

lint: ## check format, systemd units and journal catalogue
	@.ci/setup lint
	@.ci/lint

deb: ## build a Debian package under .build/deb
	@.ci/setup deb
	@.ci/deb

docs: ## build the site of all documentation under .build/docs/site and check its links (DOCS_BASE_PATH=/scened: not at a server's root)
	@.ci/setup docs
	@.ci/docs $(ARGS)

install: ## install a release build under DESTDIR and PREFIX (/usr/local)
	@.ci/setup install
	@.ci/install
