# Every target sets up by itself what it needs; `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help setup run test mutants bench fuzz format lint install deb

PREFIX ?= /usr/local
DESTDIR ?=
export PREFIX DESTDIR

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## install what building, linting and testing need (the others do it by themselves)
	@.ci/setup build lint test

run: ## build and show the demonstration
	@.ci/setup build
	@swift build --product scened
	@swift build --product scenectl
	@"$$(swift build --show-bin-path)/scenectl" demo

test: ## run all tests (ARGS='--filter X' for some, VERBOSE=1 for everything they print)
	@.ci/setup test
	@.ci/test $(ARGS)

mutants: ## make known mistakes in a copy of the sources and see each noticed (ARGS='NAME…' for some, page for the table)
	@.ci/setup build
	@.ci/mutants $(ARGS)

bench: ## run the benchmarks
	@.ci/setup bench
	@.ci/bench $(ARGS)

fuzz: ## run every fuzz target for FUZZ_SECONDS (20) seconds
	@.ci/setup fuzz
	@.ci/fuzz $(ARGS)

format: ## format the sources in place
	@swift format --in-place --recursive --parallel Sources Tests Package.swift

lint: ## check format, units and catalogue
	@.ci/setup lint
	@.ci/lint

deb: ## build a Debian package of it under .build/deb
	@.ci/setup deb
	@.ci/deb

install: ## install a release build under DESTDIR and PREFIX (/usr/local)
	@.ci/setup install
	@.ci/install
