"""The pytest plugin: what a test gets, and what is left and said when one fails."""

import json
import os
import re
import select
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scened import App, NoAdapter


def run(suite: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Runs the tests of the folder in another process."""
    result = suite.runpytest_subprocess("-p", "no:cacheprovider", *arguments)
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
    return result


def left(suite: pytest.Pytester) -> list[str]:
    """What the tests have left in their folder for artefacts."""
    return sorted(str(path.relative_to(suite.path)) for path in (suite.path / "test-results").rglob("*"))


def test_the_first_test_needs_no_other_code(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        from scened import expect

        def test_cart(app):
            link = app.window("A").open("https://shop.example/cart")
            expect(link).to_be_gated_at("signedIn")
        """
    )
    run(suite).assert_outcomes(passed=1)
    assert left(suite) == []


def test_the_page_begins_with_a_test_that_passes(suite: pytest.Pytester) -> None:
    page = (Path(__file__).parent.parent / "README.md").read_text()
    suite.makepyfile(page.split("```python\n")[1].split("```")[0])
    run(suite).assert_outcomes(passed=1)


def test_a_failure_says_what_is_shown_and_leaves_what_is_needed_to_look(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        from scened import expect

        def test_passes(app):
            app.window("earlier")

        def test_cart(app):
            window = app.window("A")
            window.open("https://shop.example/cart", event="link")
            expect(window).to_show("home", "cart")
        """
    )
    result = run(suite)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "E *window A does not show what was expected",
            "E *expected: *home › cart",
            "E *shown: *home › auth[[]login[]]",
            "E *differs: *screen 2 is login, not cart",
            "E *tab: *home (others: orders, account)",
            "E *gated at: *signedIn: cart (event link)",
            "E *last event: *#1 link (https://shop.example/cart) gated at signedIn",
            "*- scened -*",
            "  /*/scenectl check --app shop /*/test-results/*/records.jsonl",
            "  sh /*/test-results/*/again.sh",
            "  sh /*/test-results/*/again.sh EVENT",
        ]
    )
    # The line of the test is shown, not the inside of the package.
    assert "expectations.py" not in result.stdout.str()
    (folder,) = (suite.path / "test-results").iterdir()
    assert sorted(path.name for path in folder.iterdir()) == [
        "again.sh",
        "app.json",
        "daemon.log",
        "records.jsonl",
        "script.jsonl",
        "trace.html",
    ]
    page = (folder / "trace.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and "records.jsonl" in page
    records = [json.loads(line) for line in (folder / "records.jsonl").read_text().splitlines()]
    assert records[0]["kind"] == "host.started" and any(record.get("event") == "link" for record in records)
    log = (folder / "daemon.log").read_text()
    assert "link gated" in log and "earlier" not in log, "only what belongs to this test"
    steps = [json.loads(line) for line in (folder / "script.jsonl").read_text().splitlines()]
    assert [step["call"] for step in steps][:2] == ["Scenes.Connect", "Events.OpenURL"]


def test_the_lines_that_a_failure_shows_do_what_they_say(
    suite: pytest.Pytester, tmp_path_factory: pytest.TempPathFactory
) -> None:
    suite.makepyfile(
        """
        def test_cart(app, clock):
            app.window("A").open("https://shop.example/cart", event="link")
            app.sign_in("anna")
            clock.advance(1000)
            assert False
        """
    )
    result = run(suite, "--scened-artifacts=of a test's")
    result.assert_outcomes(failed=1)
    check, again, why = (line for line in result.stdout.lines if line.startswith("  ") and "of a test" in line)
    # As pasted into a shell that works elsewhere and has nothing in its PATH.
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    environment = {"PATH": "/usr/bin:/bin", "TMPDIR": str(elsewhere)}
    for line, statuses in ((check, (0, 4)), (again, (0,)), (why.replace("EVENT", "link"), (0,))):
        done = subprocess.run(
            ["sh", "-c", line], capture_output=True, text=True, cwd=elsewhere, env=environment, timeout=60
        )
        assert done.returncode in statuses, line + done.stdout + done.stderr
    assert "signedIn" in done.stdout
    assert list(elsewhere.iterdir()) == [], "its daemon is gone with its folder"


def test_a_script_is_played_at_its_date_and_with_the_secrets_that_it_leaves_out(suite: pytest.Pytester) -> None:
    shutil.copy(Path(__file__).parent / "cars.yaml", suite.path)
    suite.makepyfile(
        """
        import pytest

        @pytest.mark.scened(app="cars.yaml", arguments=["--start", "2026-11-27T08:00Z"])
        def test_cars(app):
            # What was set, the daemon's own start does not say.
            app.client.control.reset(start="2020-01-01")
            app.window("A").open("cars://cancel/2020-01-02", event="cancel")
            app.window("A").open("cars://reset/Hush-4711", event="reset")
            app.window("A").open("cars://reset/Hush-4712", event="second")
            assert False
        """
    )
    run(suite).assert_outcomes(failed=1)
    (again,) = suite.path.glob("test-results/*/again.sh")
    script = (again.parent / "script.jsonl").read_text()
    first, second = dict.fromkeys(re.findall(r"secret:[0-9a-f]{24}", script))

    def play(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", str(again), *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60
        )

    secrets = ("--secret", f"{first}=Hush-4711", f"--secret={second}=Hush-4712")
    played = play(*secrets, "cancel", "second")
    assert played.returncode == 0, played.stdout + played.stderr
    assert played.stdout.count("admitted") == 2 and "cancel(start: 2020-01-02" in played.stdout
    refused = play("cancel", "second")
    assert refused.returncode == 2 and refused.stdout == ""
    assert len(refused.stderr.strip().splitlines()) == 1 and first in refused.stderr
    assert play(*secrets).returncode == 0
    for wrong in ("--secret", "--secrt=x"):
        assert "usage: " in play(wrong).stderr and play(wrong).returncode == 2


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("app.window().at('planned').__enter__()", None),
        ("app.adapter(kinds=['push'])(lambda asked: None)", "adapter functions"),
        ("clock.stopped().__enter__()", "a clock that stood still while the test waited"),
        ("app.window()", None),
    ],
)
def test_a_failure_says_what_the_script_does_not_repeat(
    suite: pytest.Pytester, statement: str, said: str | None
) -> None:
    suite.makepyfile(f"def test_it(app, clock):\n    kept = {statement}\n    assert (kept, app) is None\n")
    result = run(suite)
    result.assert_outcomes(failed=1)
    lines = [line for line in result.stdout.lines if "does not repeat" in line]
    assert lines == ([f"  the script does not repeat: {said}"] if said else [])


def test_what_a_failure_left_is_gone_when_the_test_passes(suite: pytest.Pytester) -> None:
    suite.makepyfile("def test_it(app):\n    app.window()\n    assert False\n")
    run(suite, "--scened-artifacts", "kept").assert_outcomes(failed=1)
    assert len(list((suite.path / "kept").iterdir())) == 1
    suite.makepyfile("def test_it(app):\n    app.window()\n")
    run(suite, "--scened-artifacts", "kept").assert_outcomes(passed=1)
    assert not (suite.path / "kept").exists()


def test_the_file_for_ci_says_where_what_a_failure_left_is(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        "def test_wrong(app):\n    app.window()\n    assert False\n\ndef test_right(app):\n    app.window()\n"
    )
    run(suite, "--junit-xml=results.xml").assert_outcomes(failed=1, passed=1)
    cases = ElementTree.parse(suite.path / "results.xml").iter("testcase")
    told = {case.get("name"): [(p.get("name"), p.get("value")) for p in case.iter("property")] for case in cases}
    (folder,) = (suite.path / "test-results").iterdir()
    assert told == {"test_wrong": [("scened-artifacts", str(folder))], "test_right": []}


def test_a_violation_fails_a_test_that_passed_with_the_invariant_and_its_records(
    suite: pytest.Pytester, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REAL_SCENED", program)
    suite.makepyfile("def test_it(app):\n    app.window()\n")
    result = run(suite, "--scened", str(Path(__file__).parent / "lying_scened.py"))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E *HistoryViolated: the records of this test violate what scened promises",
            "E *5 visibility: every step shows only what is allowed at its revision and in its epoch",
            "E *records 1, 2: window A shows what nobody may see",
            "E *1 host.started*",
            "E *2 scene.connected*scene=A*",
            "E *and 2 more",
            "*/records.jsonl",
        ]
    )
    assert any(name.endswith("records.jsonl") for name in left(suite))


def test_an_error_in_an_adapter_fails_the_test_and_is_shown(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        from scened import expect

        def test_raises(app):
            @app.adapter(kinds=["push"], priority=50)
            def campaign(asked):
                return asked.payload["nothing of this name"]

            app.window().push("Hello")

        def test_returns_nonsense(app):
            @app.adapter(kinds=["push"], priority=50)
            def campaign(asked):
                return 42

            app.window().push("Hello")

        def test_answers(app):
            @app.adapter(kinds=["push"], priority=50)
            def campaign(asked):
                return "qcommerce://product/" + asked.payload["product"]

            window = app.window()
            window.push({"aps": {"alert": "Cheap"}, "product": "p7"})
            expect(window).to_show("home", "product(id: p7)")

        def test_has_gone(app):
            window = app.window()
            window.push({"aps": {"alert": "Cheap"}, "product": "p7"})
            expect(window).to_show("home")
        """
    )
    result = run(suite)
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        ["E *KeyError: 'nothing of this name'", "E *AdapterFailed: the adapter 'campaign' raised KeyError*"]
    )
    result.stdout.fnmatch_lines(
        [
            "E *AdapterFailed: the adapter 'campaign' returned 42; expected a URL, a Destination, True (handled), an "
            "Answer, or None or False to decline"
        ]
    )


@pytest.mark.parametrize("returned", [None, False])
def test_nothing_and_false_decline_and_say_so(app: App, returned: bool | None) -> None:
    app.adapter(kinds=["widget"], name="campaign", priority=50)(lambda asked: returned)
    with pytest.raises(NoAdapter, match=f"campaign.*it returned {returned}"):
        app.window().widget("deals")


@pytest.mark.parametrize(
    ("destination", "said"),
    [
        ("'prodct', {'id': 'p1'}", "the app has no destination 'prodct'; did you mean 'product'[?]"),
        ("'login'", "the app has no destination 'login'; *"),
        ("'product'", "product: the parameter 'id': is missing; *"),
        ("'product', {'Id': 'p1'}", "the destination 'product' has no parameter 'Id'; did you mean 'id'[?]"),
        ("'product', {'id': 5}", "product: the parameter 'id' is of type int; expected a text"),
        ("'product', {'id': '?'}", "product: the parameter 'id': *p[[]0-9*"),
    ],
)
@pytest.mark.parametrize("wait", ["settled", "admitted"])
def test_a_destination_that_cannot_be_fails_the_test_of_its_adapter(
    suite: pytest.Pytester, destination: str, said: str, wait: str
) -> None:
    suite.makepyfile(
        f"""
        from scened import Destination

        def test_it(app):
            @app.adapter(kinds=["push"], priority=50)
            def campaign(asked):
                return Destination({destination})

            assert app.window().push("Hello", wait="{wait}").id, "the event goes on to the next adapter"
        """
    )
    result = run(suite)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [f"E *AdapterFailed: the adapter 'campaign' returned a destination that cannot be: {said}"]
    )


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("pytest.fail('no such campaign')", "Failed: no such campaign"),
        ("pytest.skip('not today')", "Skipped: not today"),
        ("sys.exit('gone')", "SystemExit: gone"),
        ("raise KeyboardInterrupt('stopped')", "KeyboardInterrupt: stopped"),
    ],
)
def test_whatever_an_adapter_raises_fails_the_test(suite: pytest.Pytester, statement: str, error: str) -> None:
    suite.makepyfile(
        f"""
        import sys
        import pytest

        def test_it(app):
            @app.adapter(kinds=["push"], priority=50)
            def campaign(asked):
                {statement}

            assert app.window().push("Hello").outcome != "admitted", "the event goes on to the next adapter"
        """
    )
    result = run(suite)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E *AdapterFailed: the adapter 'campaign' raised {error}"])


@pytest.mark.parametrize("clock", ["virtual", "real"])
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("url='qcommerce://orders', user='a b'", '"a b" has a character that no name has'),
        ("url='qcommerce://orders', user=''", '"" is empty; expected 1 to 128 letters'),
        ("url='qcommerce://orders', user=5", "expected a string, found integer"),
        ("url='qcommerce://orders', handled=True", "InvalidAnswer: "),
        ("url=5", "expected a string, found integer"),
        ("", "InvalidAnswer: "),
    ],
)
def test_an_answer_that_the_daemon_refuses_fails_the_test_and_the_event_goes_on(
    suite: pytest.Pytester, clock: str, answer: str, said: str
) -> None:
    suite.makepyfile(
        f"""
        import pytest
        from scened import Answer, aio

        @pytest.mark.scened(clock="{clock}")
        def test_it(app):
            @app.adapter(kinds=["push"], priority=50)
            def campaign(asked):
                return Answer({answer})

            assert app.window().push("Hello").outcome != "admitted"
            assert app.window().push("Hello").outcome != "admitted", "it is asked again"
        """
    )
    result = run(suite)
    result.assert_outcomes(failed=1)
    (told,) = {
        line for line in result.stdout.lines if re.match("E .*AdapterFailed: the adapter 'campaign' returned", line)
    }
    assert said in told


@pytest.mark.parametrize("answer", ["'qcommerce://orders'", "42", "None", "scened.Answer()"])
@pytest.mark.parametrize("wait", ["settled", "admitted"])
def test_an_answer_that_comes_too_late_fails_the_test(suite: pytest.Pytester, answer: str, wait: str) -> None:
    suite.makepyfile(
        f"""
        import time
        import scened

        def test_it(app):
            @app.adapter(kinds=["push"], priority=50, timeout=0.1)
            def campaign(asked):
                time.sleep(0.2)  # Only real time makes an answer late.
                return {answer}

            app.window().push("Hello", wait="{wait}")
        """
    )
    result = run(suite)
    result.assert_outcomes(failed=1)
    said = "answered after [0-9.]+ s, later than its timeout of 0.1 s|returned |has not returned 0.1 s after the test"
    result.stdout.re_match_lines([f"E .*AdapterFailed: the adapter 'campaign' ({said})"])


def test_a_hold_is_released_at_the_end_also_after_an_error(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import pytest
        from scened import expect

        @pytest.mark.scened(clock="real")
        def test_real(app):
            check(app)

        def test_virtual(app):
            check(app)

        @pytest.mark.scened(clock="real")
        def test_others_real(app):
            others(app)

        def test_others_virtual(app):
            others(app)

        def others(app):
            app.sign_in("anna")
            a, b = app.windows("A", "B")
            with a.at("planned", kind="sweep") as sweeps, b.at("planned", event="another", must_catch=False):
                # Neither hold is for these, so they settle.
                assert a.open("qcommerce://cart").outcome == "applied"
                assert b.open("qcommerce://orders").outcome == "applied"
                app.sign_out()
                assert sweeps.wait().scene == "A"
                assert a.open("qcommerce://home").outcome == "admitted", "it waits behind what is held"
            expect(a).not_to_show("cart")
            with b.at("transition", must_catch=False):
                assert b.open("qcommerce://orders").outcome == "unchanged", "it never comes to the point"

        def check(app):
            window = app.window()
            with pytest.raises(ZeroDivisionError):
                with window.at("planned") as hold:
                    link = window.open("qcommerce://orders")
                    assert hold.caught.event == link.id and link.outcome == "admitted"
                    behind = window.open("qcommerce://home")
                    1 / 0
            assert app.holds == []
            expect(link).to_be("applied")
            expect(behind).to_be("applied")
        """
    )
    run(suite).assert_outcomes(passed=4)


@pytest.mark.parametrize("clock", ["virtual", "manual", "real"])
def test_a_hold_must_be_in_force_and_catch_something(suite: pytest.Pytester, clock: str) -> None:
    suite.makeini(f"[pytest]\nscened_clock = {clock}\n")
    suite.makepyfile(
        """
        import pytest
        from scened import NothingHeld

        def test_without_with(app):
            window = app.window()
            window.at("planned", kind="sweep")
            window.open("qcommerce://orders")

        def test_nothing(app):
            window = app.window()
            with pytest.raises(NothingHeld, match="^window A.at.'planned', event='other'. caught nothing; "):
                with window.at("planned", event="other"):
                    window.open("qcommerce://orders")
            with pytest.raises(NothingHeld, match="^app.at"), app.at("planned") as hold:
                hold.release()

        def test_allowed(app):
            with app.at("planned", must_catch=False):
                pass

        def test_its_own_error_says_more(app):
            with pytest.raises(ZeroDivisionError), app.at("planned"):
                1 / 0

        def test_what_nobody_has_looked_at(app):
            window = app.window()
            with app.at("planned"):
                window.open("qcommerce://orders", wait="admitted")
            with app.at("planned") as hold:
                window.open("qcommerce://home", wait="admitted")
                assert hold.wait().scene == "A"
                hold.release()
            app.sign_in("anna")
            window.open("qcommerce://cart").finished()
            with window.at("planned", kind="sweep"):
                app.sign_out()

        @pytest.mark.parametrize("fails", [False, True])
        def test_never_left(app, fails):
            app.window().at("planned").__enter__()
            assert not fails

        def test_released(app):
            app.window().at("planned").__enter__().release()
        """
    )
    result = run(suite)
    result.assert_outcomes(passed=6, failed=2, errors=1)
    result.stdout.fnmatch_lines(["E *NothingHeld: window A.at('planned', kind='sweep') held nothing: *with window*"])
    result.stdout.fnmatch_lines(["E *NothingHeld: window A.at('planned') was never left, *'with window A*"])


def test_a_windows_life_changes_behind_what_is_held(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import pytest, scened
        from scened import expect

        @pytest.mark.scened(clock="real")
        def test_real(app):
            check(app)

        def test_virtual(app):
            check(app)

        @pytest.mark.scened(transition=350)
        def test_during_transitions(app):
            check(app)

        def check(app):
            window = app.window()
            with window.at("planned"):
                link = window.open("qcommerce://orders")
                window.background()
                assert window.scene.activation == "foregroundActive" and link.outcome == "admitted"
            assert link.outcome == "applied"
            assert window.scene.activation == "background"
            window.foreground()
            with app.at("planned"), window.at("admitted", event="other", must_catch=False):
                link = window.open("qcommerce://home")
                window.disconnect()
                window.connect(background=True)
                app.window("B").background()
            assert link.outcome == "applied"
            assert window.scene.activation == "background" and window.scene.connected
            assert app.window("B").scene.activation == "background"

        def test_what_is_refused_is_raised_at_the_end_of_the_hold(app):
            window = app.window()
            with pytest.raises(scened.IllegalActivation):
                with window.at("planned"):
                    window.open("qcommerce://orders")
                    window.disconnect()
                    window.disconnect()

        @pytest.fixture
        def held(app):
            with app.window().at("planned"):
                yield app.window()

        def test_a_fixture_may_hold(held):
            held.open("qcommerce://orders")
            held.background()

        @pytest.mark.scened(clock="manual", transition=350)
        def test_a_clock_that_stands_still_holds_it_too(app, clock):
            window = app.window()
            with window.at("planned"):
                window.open("qcommerce://orders")
                window.background()
            assert window.scene.activation == "foregroundActive"
            clock.advance(350)
        """
    )
    run(suite).assert_outcomes(passed=6)


def test_an_adapter_can_look_and_send_but_not_wait_for_what_waits_for_it(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import pytest
        from scened import expect

        @pytest.mark.parametrize("wait", [
            lambda window: window.open("qcommerce://orders"),
            lambda window: expect(window).to_show("orders"),
            lambda window: window.background(),
            lambda window: window.app.clock.advance(1),
            lambda window: window.app.settle(),
        ])
        def test_waits(app, wait):
            window = app.window()

            @app.adapter(kinds=["push"], priority=50)
            def campaign(asked):
                wait(window)

            window.push("Hello")

        @pytest.mark.parametrize("clock", ["virtual", "real"])
        def test_looks(app, clock):
            window = app.window()

            @app.adapter(kinds=["push"], priority=50)
            def campaign(asked):
                assert window.shown == ["home"] and app.session.user is None
                other.append(window.open("qcommerce://orders", wait="admitted"))
                return True

            other = []
            window.push("Hello")
            expect(other[0]).to_be("gated" if other[0].outcome == "gated" else "applied")
        """
    )
    result = run(suite, "--durations=1")
    result.assert_outcomes(passed=2, failed=5)
    lines = [line for line in result.stdout.lines if line.startswith("E ") and "an adapter cannot" in line]
    assert len(lines) >= 5


def test_all_fixtures_are_of_the_app_that_a_suite_makes_of_it(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import pytest

        @pytest.fixture
        def app(app):
            app.sign_in("anna")
            return app

        def test_windows(windows):
            a, = windows("A")
            assert a.app.session.user == "anna"

        def test_clock(clock, daemon):
            import scened
            with scened.App(daemon.socket) as same:
                assert same.session.user == "anna" and same.clock.kind == clock.kind == "virtual"
        """
    )
    run(suite).assert_outcomes(passed=2)


def test_a_test_that_fails_within_a_hold_does_not_stop_the_next(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        def test_fails(app):
            hold = app.window().at("planned").__enter__()
            app.window().open("qcommerce://orders")
            assert False

        def test_next(app):
            assert app.windows() == []
            assert app.window().open("qcommerce://orders").outcome == "applied"
        """
    )
    run(suite).assert_outcomes(passed=1, failed=1)


def test_tests_share_a_daemon_that_is_reset_and_a_fresh_one_is_its_own(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import pytest
        seen = []

        def test_one(app, daemon):
            app.window("A")
            app.sign_in("anna")
            seen.append(daemon)

        def test_two(app, daemon, clock):
            assert app.windows() == [] and app.session.user is None and clock.now == 0
            assert daemon is seen[0]

        @pytest.mark.scened(fresh=True)
        def test_fresh(app, daemon):
            assert daemon is not seen[0]
            seen.append(daemon)

        def test_it_is_gone(app):
            assert seen[1].status == 0 and seen[0].status is None
        """
    )
    run(suite).assert_outcomes(passed=4)


def test_a_daemon_that_has_died_is_named_and_replaced(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import os, signal

        def test_dies(app, daemon):
            os.kill(daemon.process_id, signal.SIGKILL)
            app.window("A")

        def test_next(app):
            app.window("A")
        """
    )
    result = run(suite)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*ConnectionFailed*", "the daemon says no more: *"])


def test_a_daemon_that_does_not_answer_is_killed_and_replaced(suite: pytest.Pytester) -> None:
    suite.makeini("[pytest]\nscened_timeout = 1\n")
    suite.makepyfile(
        """
        import os, signal
        daemons = []

        def test_hangs(app, daemon):
            daemons.append(daemon)
            os.kill(daemon.process_id, signal.SIGSTOP)
            os.waitid(os.P_PID, daemon.process_id, os.WSTOPPED)
            app.window("A")

        def test_next(app, daemon):
            app.window("A")
            assert daemon is not daemons[0] and daemons[0].status == -signal.SIGKILL
        """
    )
    result = run(suite)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["E *CallTimeout: *no answer within 1 s"])


@pytest.mark.parametrize(
    ("statement", "options"),
    [
        ("os.kill(os.getpid(), signal.SIGTERM)", ()),
        ("os.kill(os.getpid(), signal.SIGKILL)", ()),
        ("os.killpg(0, signal.SIGTERM)", ()),
        ("os._exit(3)", ()),
        ("os._exit(3)", ("-n", "1", "--max-worker-restart=0")),
    ],
)
def test_nothing_is_left_of_a_daemon_whose_tests_have_ended_without_a_word(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, statement: str, options: tuple[str, ...]
) -> None:
    if options:
        pytest.importorskip("xdist")
    suite.makepyfile(
        f"""
        import os, pathlib, signal

        def test_it(app, daemon):
            with open({str(suite.path / "told")!r}, "w") as told:
                print(daemon.process_id, daemon._watch.pid, pathlib.Path(daemon.socket).parent, file=told)
            {statement}
        """
    )
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options],
        cwd=suite.path,
        start_new_session=True,
        timeout=60,
        check=False,
    )
    daemon, watch, folder = (suite.path / "told").read_text().split()
    for process in (daemon, watch):
        await_end(int(process))
    assert not Path(folder).exists()


def await_end(process: int) -> None:
    """Waits until a process has ended, that may be nobody's child here."""
    try:
        ended = os.pidfd_open(process)
    except ProcessLookupError:
        return
    try:
        assert select.select([ended], [], [], 60)[0], f"process {process} has not ended"
    finally:
        os.close(ended)


def test_several_apps_and_clocks_in_one_run(suite: pytest.Pytester, program: str) -> None:
    club = subprocess.run(
        [str(Path(program).parent / "scenectl"), "app", "print", "club"], capture_output=True, text=True, check=True
    )
    (suite.path / "own.yaml").write_text(club.stdout.replace("name: Club", "name: Own"))
    suite.makeini("[pytest]\nscened_app = own.yaml\nscened_transition = 100\n")
    suite.makepyfile(
        """
        import pytest, scened

        def name(app):
            return app.client.manager.get_status().app

        def test_own(app, clock):
            assert name(app) == "Own" and clock.is_automatic

        @pytest.mark.scened(app="bank", clock="manual")
        def test_bank(app, clock):
            assert name(app) == "Bank" and not clock.is_automatic
            assert clock.advance(seconds=1.5) == 1500

        class TestClass:
            pytestmark = pytest.mark.scened(app="shop", clock="real")

            def test_shop(self, app, clock):
                assert name(app) == "Shop"
                with pytest.raises(scened.RealClock):
                    clock.advance(1)

            @pytest.mark.scened(clock="virtual")
            def test_the_nearest_marker_counts(self, app, clock):
                assert clock.now == 0
        """
    )
    run(suite).assert_outcomes(passed=4)


@pytest.mark.parametrize(
    ("marker", "complaint"),
    [
        (
            "colour='red'",
            "*scened(colour); expected of app, arguments, clock, fresh, reconnect, seed, start, state, timeout, *",
        ),
        ("'bank'", "*scened('bank'); expected of app, *"),
        ("clock='fast'", "*clock 'fast'; expected virtual, manual, real"),
        ("app='none.yaml'", "*there is no manifest 'none.yaml' in *; expected a file, or shop, bank, club"),
        ("timeout=0", "*timeout 0; expected seconds, more than 0"),
        ("timeout=float('inf')", "*timeout inf; expected seconds, more than 0"),
        ("fresh='no'", "*fresh 'no'; expected True or False"),
        ("state='no'", "*state 'no'; expected True or False"),
        ("state=True", "*state True with clock 'virtual'; expected clock 'real'"),
        ("reconnect=-1", "*reconnect -1; expected seconds, more than 0"),
        ("arguments='--set mailbox=4'", "*arguments '--set mailbox=4'; expected a list of texts"),
        ("start='tomorrow'", "*'tomorrow' is not a date in UTC, such as 2026-11-27 or *"),
        ("start=1", "*start 1; expected a date such as '2026-11-27T08:00Z'"),
        ("start='2026-11-27', clock='real'", "*start '2026-11-27' with clock 'real', which begins with the date now"),
        ("timeout='soon'", "*test_it: timeout 'soon'; expected seconds, more than 0"),
        ("timeout=None", "*test_it: timeout None; expected seconds, more than 0"),
        ("timeout=True", "*test_it: timeout True; expected seconds, more than 0"),
        ("timeout=10**400", "*test_it: timeout 1000*; expected seconds, more than 0"),
        ("transition='slow'", "*test_it: transition 'slow'; expected milliseconds, 0 or more"),
        ("transition=-1", "*test_it: transition -1; expected milliseconds, 0 or more"),
        ("transition=0.5", "*test_it: transition 0.5; expected milliseconds, 0 or more"),
        ("seed='x'", "*test_it: seed 'x'; expected a whole number"),
        ("seed=None", "*test_it: seed None; expected a whole number"),
        ("seed=True", "*test_it: seed True; expected a whole number"),
        ("arguments=['--set', 'mailbox=-1']", "*scened ended with status 78 before it was ready; its log:*"),
    ],
)
def test_a_wrong_marker_says_what_would_be_right(suite: pytest.Pytester, marker: str, complaint: str) -> None:
    suite.makepyfile(f"import pytest\n@pytest.mark.scened({marker})\ndef test_it(app):\n    pass\n")
    result = run(suite)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([complaint])


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("scened_transition = slow", "*test_it: transition 'slow'; expected milliseconds, 0 or more"),
        ("scened_timeout = soon", "*test_it: timeout 'soon'; expected seconds, more than 0"),
        ("scened_clock = fast", "*test_it: clock 'fast'; expected virtual, manual, real"),
        ("scened_start = tomorrow", "*test_it: 'tomorrow' is not a date in UTC, *"),
        ("scened_transition = 350", None),
    ],
)
def test_a_wrong_line_of_the_ini_file_says_what_would_be_right(
    suite: pytest.Pytester, line: str, complaint: str | None
) -> None:
    suite.makeini(f"[pytest]\n{line}\n")
    suite.makepyfile("def test_it(app):\n    pass\n")
    result = run(suite)
    result.assert_outcomes(**{"errors" if complaint else "passed": 1})
    if complaint:
        result.stdout.fnmatch_lines([complaint])


def test_a_clock_begins_with_the_date_that_is_wanted_and_goes_to_another(suite: pytest.Pytester) -> None:
    suite.makeini("[pytest]\nscened_start = 2026-11-27T08:00Z\n")
    suite.makepyfile(
        """
        from datetime import datetime, timedelta, timezone
        import pytest
        import scened

        SERVED = set()

        def test_ini(clock, daemon):
            assert clock.date == datetime(2026, 11, 27, 8, tzinfo=timezone.utc) and clock.now == 0
            assert clock.advance_to("2026-11-27T09:00Z") == 3_600_000
            east = timezone(timedelta(hours=2))
            clock.advance_to(datetime(2026, 11, 27, 12, 0, 1, tzinfo=east))
            assert clock.date == datetime(2026, 11, 27, 10, 0, 1, tzinfo=timezone.utc)
            with pytest.raises(scened.TimePassed):
                clock.advance_to("2026-11-27")
            for wrong, said in (
                ("tomorrow", "no.* a date in UTC"),
                (datetime(2026, 11, 28), "no time zone"),
                (datetime(2026, 11, 28, 0, 0, 0, 1, tzinfo=east), "not to the second"),
            ):
                with pytest.raises(ValueError, match=said):
                    clock.advance_to(wrong)
            SERVED.add(daemon.process_id)

        @pytest.mark.scened(start=datetime(2020, 2, 29, tzinfo=timezone.utc), clock="manual")
        def test_marker(clock):
            assert clock.date == datetime(2020, 2, 29, tzinfo=timezone.utc)

        @pytest.mark.scened(start="2020-02-29")
        def test_of_the_same_daemon(clock, daemon):
            assert clock.date == datetime(2020, 2, 29, tzinfo=timezone.utc)
            SERVED.add(daemon.process_id)
            assert len(SERVED) == 1

        @pytest.mark.scened(clock="real")
        def test_real(clock):
            with pytest.raises(scened.RealClock):
                clock.date
        """
    )
    run(suite).assert_outcomes(passed=4)


def test_a_manifest_with_mistakes_is_read_once_and_they_are_told_line_by_line(
    suite: pytest.Pytester, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = suite.path / "counting"
    counting.write_text(f'#!/bin/sh\necho start >> "$COUNTED"\nexec {program} "$@"\n')
    counting.chmod(0o755)
    monkeypatch.setenv("COUNTED", str(suite.path / "counted"))
    monkeypatch.setenv("SCENED", str(counting))
    # Where it is set, pytest's summary repeats whole messages.
    monkeypatch.delenv("CI", raising=False)
    (suite.path / "wrong.yaml").write_text("name: Wrong\ntabs: {a: b}\ndestinatons: {}\n")
    suite.makeini("[pytest]\nscened_app = wrong.yaml\n")
    suite.makepyfile("def test_one(app):\n    pass\n\ndef test_two(app):\n    pass\n")
    result = run(suite)
    result.assert_outcomes(errors=2)
    assert "\\n" not in result.stdout.str()
    assert result.stdout.str().count("before it was ready; its log:") == 2, "once for each test"
    assert (suite.path / "counted").read_text() == "start\n"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("app.window().at('plannned').__enter__()", "scened.UnknownName: *'plannned'; did you mean 'planned'[?]"),
        ("app.adapter(kinds=['push'], timeout=11)(print)", "ValueError: *timeout 11; expected 0.001 to 10 seconds"),
        ("app.adapter(kinds='push')(print)", "TypeError: *kinds 'push'; expected a list, [[]'push'[]]"),
        ("app.open('https://nowhere.example/x')", "scened.NotAssociated: *"),
        (
            "app.window().open('https://shop.example/cart', wait='finished')",
            "scened.CallTimeout: <event auto-1: *, gated at signedIn> has not finished within 0.2 s",
        ),
    ],
)
@pytest.mark.parametrize("clock", ["virtual", "real"])
def test_an_error_says_what_was_wrong_by_its_name(
    suite: pytest.Pytester, clock: str, statement: str, said: str
) -> None:
    suite.makepyfile(
        f"""
        import pytest

        @pytest.mark.scened(clock="{clock}")
        def test_it(app):
            app.window("B")
            app.client.timeout = 0.2 if "finished" in {statement!r} else 10
            {statement}
        """
    )
    result = run(suite)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E  *{said}"])


def test_where_test_and_adapter_fail_the_adapters_line_is_shown(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        def test_it(app):
            @app.adapter(kinds=["push"], priority=50)
            def campaign(asked):
                return asked.payload["nothing of this name"]

            assert app.window().push("Hello") is None
        """
    )
    result = run(suite)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*AssertionError*", "*return asked.payload[[]*", "KeyError: 'nothing of this name'"])


def test_without_a_program_the_error_says_where_to_put_it(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite.makepyfile("def test_it(app):\n    pass\n")
    result = run(suite, "--scened", "/nowhere/scened")
    result.stdout.fnmatch_lines(
        ["no program '/nowhere/scened' was found (from --scened): give pytest --scened=PATH, set SCENED *"]
    )
    monkeypatch.delenv("SCENED")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    run(suite).stdout.fnmatch_lines(["no program 'scened' was found (from PATH): *"])


def test_tests_without_the_fixtures_start_nothing(suite: pytest.Pytester) -> None:
    suite.makepyfile("def test_it():\n    pass\n")
    run(suite, "--scened", "/nowhere/scened").assert_outcomes(passed=1)


def test_a_virtual_clock_goes_on_while_a_test_waits_and_no_further(suite: pytest.Pytester) -> None:
    suite.makeini("[pytest]\nscened_transition = 350\n")
    suite.makepyfile(
        """
        import pytest
        from scened import expect

        def test_automatic(app, clock):
            app.sign_in("anna", expires_in=60_000)
            window = app.window()
            assert window.open("qcommerce://cart").outcome == "applied"
            assert 350 <= clock.now < 60_000 and app.session.user == "anna"

        def test_sweeps(app):
            app.sign_in("anna")
            window = app.window()
            window.open("qcommerce://cart")
            app.sign_out()
            expect(window).not_to_show("cart")

        @pytest.mark.scened(clock="manual")
        def test_manual(app, clock):
            window = app.window()
            link = window.open("qcommerce://product/p1")
            expect(window).to_be_transitioning()
            clock.advance(349)
            assert link.outcome == "admitted"
            clock.advance(1)
            assert link.outcome == "applied"

        def test_lifecycle(app, clock):
            window = app.window()
            with clock.stopped():
                link = window.open("qcommerce://product/p1")
            window.disconnect()
            assert link.outcome == "applied"
            expect(window).to_be_connected(False)
            expect(window.connect()).to_show("home", "product")
        """
    )
    run(suite).assert_outcomes(passed=4)


def test_workers_of_xdist_have_daemons_of_their_own(suite: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    suite.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("number", range(8))
        def test_it(app, number):
            assert app.windows() == []
            app.window("A").open("qcommerce://orders")
            assert number != 5
        """
    )
    result = run(suite, "-n", "2")
    result.assert_outcomes(passed=7, failed=1)
    result.stdout.fnmatch_lines(["*- scened -*", "*/test-results/*/records.jsonl"])
    assert len(list((suite.path / "test-results").iterdir())) == 1


def test_a_refused_call_is_shown_where_the_test_makes_it(suite: pytest.Pytester) -> None:
    suite.makepyfile("def test_it(app):\n    app.window().open('https://nowhere.example/x')\n")
    result = run(suite)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [">*app.window().open('https://nowhere.example/x')", "E *NotAssociated: No associated domain *"]
    )
    assert "client.py" not in result.stdout.str() and "methods.py" not in result.stdout.str()


@pytest.mark.parametrize("option", ["--scened", "--scened-app", "--scened-artifacts"])
def test_a_path_after_a_blank_that_hides_the_ini_file_is_refused(
    suite: pytest.Pytester, program: str, tmp_path_factory: pytest.TempPathFactory, option: str
) -> None:
    suite.makeini("[pytest]\nscened_app = bank\n")
    suite.makepyfile("def test_it(app):\n    assert app.client.manager.get_status().app == 'Bank'\n")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    value = {"--scened": program, "--scened-app": "bank", "--scened-artifacts": str(elsewhere)}[option]
    run(suite, f"{option}={value}").assert_outcomes(passed=1)
    run(suite, "--scened-artifacts", "kept").assert_outcomes(passed=1)  # No test could be meant by this.
    if option == "--scened-app":
        value = str(elsewhere / "bank.yaml")
        Path(value).touch()
    result = run(suite, option, value)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [f"*has taken '{value}' for a test and read no ini file in place of *tox.ini; write {option}={value}"]
    )


def test_the_program_is_the_one_that_was_named_whatever_folder_a_test_works_in(
    suite: pytest.Pytester, program: str
) -> None:
    suite.makepyfile(
        """
        import pytest

        @pytest.fixture(autouse=True)
        def elsewhere(monkeypatch, tmp_path):
            monkeypatch.chdir(tmp_path)

        def test_it(app):
            app.window()
        """
    )
    (suite.path / "bin").mkdir()
    (suite.path / "bin/scened").symlink_to(program)
    run(suite, "--scened=bin/scened").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("before", "after", "outcomes"),
    [
        ("assert False", "", {"errors": 1}),
        ("app.window().open('https://nowhere.example/x')", "", {"errors": 1}),
        ("", "assert False", {"passed": 1, "errors": 1}),
        ("", "app.window().open('https://nowhere.example/x')", {"passed": 1, "errors": 1}),
    ],
)
def test_an_error_in_a_fixture_is_told_as_one_in_a_test(
    suite: pytest.Pytester, before: str, after: str, outcomes: dict[str, int]
) -> None:
    suite.makepyfile(
        f"""
        import pytest

        @pytest.fixture
        def cart(app):
            app.window().open("https://shop.example/cart", event="link")
            {before or "pass"}
            yield
            {after or "pass"}

        def test_it(cart):
            pass
        """
    )
    result = run(suite)
    result.assert_outcomes(**outcomes)
    result.stdout.fnmatch_lines(["*- scened -*", "*/records.jsonl", "*/script.jsonl"])
    assert '"link"' in next((suite.path / "test-results").glob("*/records.jsonl")).read_text()


def test_a_daemon_that_a_test_has_stopped_is_named_and_replaced(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import pytest

        def test_stops(app, daemon):
            app.window()
            daemon.stop()

        def test_next(app):
            app.window()

        @pytest.mark.scened(fresh=True)
        def test_stops_its_own(app, daemon):
            daemon.stop()
        """
    )
    result = run(suite)
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["E *ConnectionFailed: *", "*/daemon.log", "the daemon says no more: *"])


def test_a_folder_that_cannot_be_made_is_named_beside_the_failure(suite: pytest.Pytester) -> None:
    suite.makepyfile("def test_it(app):\n    assert app.windows() == ['A']\n")
    (suite.path / "taken").touch()
    result = run(suite, "--scened-artifacts=taken")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *assert [[]] == [[]'A'[]]", "nothing more was kept: *taken*"])
