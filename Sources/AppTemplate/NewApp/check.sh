#!/bin/sh
# Everything that has to be green, as README.md says it. CI runs this and nothing else.
set -eu
cd "$(dirname "$0")"
swift build
swift test
.build/debug/newapp-scened race --all --iterations 200
python3 -m venv .venv
.venv/bin/pip install "${SCENED_SOURCES:-../scened}/protocol/python[pytest]"
.venv/bin/pytest
