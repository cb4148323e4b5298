"""What fails a test, besides the daemon's errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._codec import JSONObject
from ._errors import ScenedError
from ._generated.types import Verdict


class ExpectationFailed(ScenedError, AssertionError):
    """What was expected, and what there is instead."""


class NothingExpected(ScenedError, AssertionError):
    """Of what was given to `expect` nothing was expected, or what was expected was not awaited."""


class HistoryViolated(ScenedError, AssertionError):
    """The records of a test show that an invariant does not hold, or that the app did not do what its manifest says. It
    names each invariant and the records."""

    def __init__(self, verdicts: Sequence[Verdict], records: Mapping[int, JSONObject]) -> None:
        super().__init__(_violation_text(verdicts, records))
        self.verdicts = list(verdicts)
        """The verdicts about the invariants that are violated."""


class NothingHeld(ScenedError, AssertionError):
    """A hold caught nothing, was not put into a `with`, or was never left: what the test was to show about a race has
    not happened."""


class AdapterFailed(ScenedError):
    """A function that is an adapter raised an error, returned what is no answer, or would wait for what waits for
    it."""


class UnknownName(ScenedError, ValueError):
    """The app's manifest has no such screen, parameter, tab, flow, precondition, fact or intent, or the daemon no such
    outcome, reason, activation or other word, so that nothing could ever have it."""


def _violation_text(verdicts: Sequence[Verdict], records: Mapping[int, JSONObject]) -> str:
    lines = ["the records of this test violate what scened promises"]
    for verdict in verdicts:
        lines.append(f"  {verdict.number} {verdict.name}: {verdict.promise}")
        shown = verdict.violations or []
        for violation in shown:
            indices = ", ".join(str(index) for index in violation.records)
            lines.append(f"    record{'s' if len(violation.records) != 1 else ''} {indices}: {violation.explanation}")
            lines += [f"      {_record_line(records[index])}" for index in violation.records if index in records]
        if (verdict.count or 0) > len(shown):
            lines.append(f"    and {(verdict.count or 0) - len(shown)} more")
    return "\n".join(lines)


def _record_line(record: JSONObject) -> str:
    """A record in a line: its index and kind, then its other members, except what is the same in all."""
    rest = {key: value for key, value in record.items() if key not in ("index", "kind", "host", "format", "monotonic")}
    text = " ".join(f"{key}={value if isinstance(value, str) else _short(value)}" for key, value in rest.items())
    return f"{record.get('index')} {record.get('kind')} {text}"[:300]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
