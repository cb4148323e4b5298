# Every target sets up by itself what it needs; `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help setup run test bench fuzz format lint install deb

PREFIX ?= /usr/local
DESTDIR ?=
export PREFIX DESTDIR

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## install what building and testing need (the others do it by themselves)
	@.ci/setup

run: setup ## build and show the demonstration
	@swift build
	@"$$(swift build --show-bin-path)/scenectl" demo

test: setup ## run all tests (ARGS='--filter X' for some, VERBOSE=1 for everything they print)
	@.ci/test $(ARGS)

bench: setup ## run the benchmarks
	@.ci/bench $(ARGS)

fuzz: setup ## run every fuzz target for FUZZ_SECONDS (20) seconds
	@.ci/fuzz $(ARGS)

format: ## format the sources in place
	@swift format --in-place --recursive --parallel Sources Tests Package.swift

lint: setup ## check format, units and catalogue
	@.ci/lint

deb: setup ## build a Debian package of it under .build/deb
	@.ci/deb

install: setup ## install a release build under DESTDIR and PREFIX (/usr/local)
	@.ci/install
