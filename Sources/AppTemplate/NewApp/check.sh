#!/bin/sh
# Everything that has to be green, as README.md says it. CI runs this and nothing else.
set -eu
cd "$(dirname "$0")"
swift build
swift test
python3 -m venv .venv
.venv/bin/pip install "${SCENED_SOURCES:-../scened}/protocol/python[pytest]"
.venv/bin/pytest
