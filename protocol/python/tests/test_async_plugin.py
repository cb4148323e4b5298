"""The pytest plugin and tests that are coroutines, run by pytest-asyncio or anyio."""

from pathlib import Path

import pytest

pytest.importorskip("pytest_asyncio")
pytest.importorskip("anyio")

RUNNERS = {
    "pytest-asyncio": "asyncio_mode = auto\nasyncio_default_fixture_loop_scope = function",
    "pytest-asyncio, one loop": (
        "asyncio_mode = auto\nasyncio_default_fixture_loop_scope = session\nasyncio_default_test_loop_scope = session"
    ),
    "anyio": "asyncio_default_fixture_loop_scope = function\nanyio_mode = auto",
}
"""What runs coroutines, by its lines of the ini file."""

ANYIO = """
import pytest

@pytest.fixture
def anyio_backend():
    return "asyncio"
"""


@pytest.fixture
def runner() -> str:
    """What runs the coroutines, where it is no parameter of the test."""
    return "pytest-asyncio"


@pytest.fixture
def coroutines(suite: pytest.Pytester, runner: str) -> pytest.Pytester:
    """A folder with tests that are coroutines."""
    suite.makeini(f"[pytest]\n{RUNNERS[runner]}\n")
    if runner == "anyio":
        suite.makeconftest(ANYIO)
    return suite


def run(suite: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Runs the tests in another process, in which any warning, such as of a socket that nobody closed, is an error."""
    result = suite.runpytest_subprocess("-p", "no:cacheprovider", "-W", "error", *arguments)
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
    return result


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_race_is_ten_lines(coroutines: pytest.Pytester) -> None:
    page = (Path(__file__).parent.parent / "README.md").read_text()
    section = page.split("\n## Asynchronous tests\n")[1].split("\n## ")[0]
    race = section.split("```python\n")[1].split("```")[0]
    assert len([line for line in race.split("async def")[1].splitlines() if line]) <= 11
    coroutines.makepyfile(race)
    run(coroutines).assert_outcomes(passed=1)
    assert not (coroutines.path / "test-results").exists()


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_failure_is_shown_in_the_line_of_the_test(coroutines: pytest.Pytester) -> None:
    coroutines.makepyfile(
        """
        import asyncio
        from scened.aio import expect

        async def test_shown(async_app):
            window = await async_app.window("A")
            async with window.at("planned"):
                await window.open("https://shop.example/cart", event="link")
            await expect(window).to_show("home", "cart")

        async def test_gathered(async_app):
            a, b = await async_app.windows("A", "B")
            await asyncio.gather(a.open("qcommerce://orders"), b.open("https://nowhere.example/x"))

        async def test_caught(async_app):
            async with async_app.at("planned"):
                pass
        """
    )
    result = run(coroutines)
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        [
            ">*await expect(window).to_show(*",
            "E *window A does not show what was expected",
            "E *last event: *link (https://shop.example/cart) gated at signedIn",
            "*- scened -*",
            "*/script.jsonl",
            ">*await asyncio.gather(*",
            "E *NotAssociated: No associated domain *",
            "E *NothingHeld: app.at('planned') caught nothing; *",
        ]
    )
    for inside in ("aio/app.py", "aio/expectations.py", "aio/client.py", "async_methods.py"):
        assert inside not in result.stdout.str()
    records = next((coroutines.path / "test-results").glob("*test_shown*/records.jsonl")).read_text()
    assert '"link"' in records


def test_an_expectation_that_is_not_awaited_fails_the_test(suite: pytest.Pytester) -> None:
    suite.makeini(f"[pytest]\n{RUNNERS['pytest-asyncio']}\n")
    suite.makepyfile(
        """
        import pytest, scened
        from scened.aio import expect

        async def test_it(async_app):
            window = await async_app.window("A")
            await expect(window).to_show("home")
            expect(window).to_show("cart")

        def test_blocking(app):
            scened.expect(app).to_have_user

        def test_what_looks_and_fails(app):
            with pytest.raises(scened.UnknownName):
                scened.expect(app.window("A")).to_show("hme")
        """
    )
    result = suite.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "E *NothingExpected: *.py:7: expect(window A): nothing was looked at; write 'await expect(…).to_be(…)' *",
            "E *NothingExpected: *.py:10: expect(app): nothing was looked at; write 'expect(…).to_be(…)' or the like",
        ]
    )


@pytest.mark.parametrize(
    ("runner", "clock"), [*((runner, "virtual") for runner in RUNNERS), ("pytest-asyncio", "real")]
)
def test_whatever_a_test_leaves_open_ends_with_it(coroutines: pytest.Pytester, clock: str) -> None:
    coroutines.makepyfile(
        f"""
        import asyncio
        import pytest

        pytestmark = pytest.mark.scened(clock="{clock}")

        @pytest.mark.parametrize("fails", [False, True])
        async def test_holds(async_app, fails):
            window = await async_app.window("A")
            await window.at("planned").__aenter__()
            await window.open("qcommerce://orders")
            await window.background()
            assert not fails

        @pytest.mark.parametrize("fails", [False, True])
        async def test_asks(async_app, fails):
            @async_app.adapter(kinds=["push"], priority=50, timeout=0.1)
            async def campaign(asked):
                await asyncio.Event().wait()

            window = await async_app.window("A")
            await window.push("Hello", wait="admitted")
            assert not fails

        @pytest.mark.parametrize("fails", [False, True])
        async def test_waits(async_app, fails):
            window = await async_app.window("A")
            hold = window.at("planned")
            await hold.__aenter__()
            test_waits.task = asyncio.create_task(window.open("qcommerce://orders", wait="finished"))
            await hold.wait()
            assert not fails

        async def test_next(async_app, daemon):
            assert await async_app.windows() == []
            window = await async_app.window("A")
            assert await (await window.push("Hello")).outcome != "admitted"
            assert await (await window.open("qcommerce://orders")).outcome == "applied"
        """
    )
    result = run(coroutines)
    # Of what has held and failed, only the failure is told.
    result.assert_outcomes(passed=3, failed=4, errors=2)
    result.stdout.fnmatch_lines(["E *NothingHeld: window A.at('planned') was never left, *'async with window A*"])
    result.stdout.fnmatch_lines(["E *AdapterFailed: the adapter 'campaign' has not returned 0.1 s after *"])
    result.stdout.no_fnmatch_line("*never retrieved*")


def test_a_task_that_outlives_its_test_can_do_nothing_more(suite: pytest.Pytester) -> None:
    suite.makeini(f"[pytest]\n{RUNNERS['pytest-asyncio, one loop']}\n")
    suite.makepyfile(
        """
        import asyncio
        import pytest
        import scened

        left = []
        go = asyncio.Event()

        async def test_leaves(async_app):
            window = await async_app.window("A")

            async def late():
                await go.wait()
                await window.open("qcommerce://orders")

            async def later():
                await go.wait()
                await async_app.at("planned").__aenter__()

            left[:] = [asyncio.create_task(late()), asyncio.create_task(later())]

        async def test_next(async_app):
            go.set()
            for task in left:
                with pytest.raises(scened.ConnectionFailed, match="the test that had this app has ended"):
                    await task
            assert await async_app.windows() == []
        """
    )
    run(suite).assert_outcomes(passed=2)


def test_what_an_adapter_raises_fails_the_test(coroutines: pytest.Pytester) -> None:
    coroutines.makepyfile(
        """
        import asyncio, sys
        import pytest

        @pytest.mark.parametrize("ends", [
            lambda: pytest.fail("no such campaign"),
            lambda: pytest.skip("not today"),
            lambda: sys.exit("gone"),
            lambda: {}["nothing of this name"],
            lambda: 42,
        ])
        async def test_it(async_app, ends):
            @async_app.adapter(kinds=["push"], priority=50)
            async def campaign(asked):
                await asyncio.sleep(0)
                return ends()

            window = await async_app.window("A")
            push = await window.push("Hello")
            assert await push.outcome != "admitted", "the event goes on to the next adapter"
        """
    )
    result = run(coroutines)
    result.assert_outcomes(failed=5)
    result.stdout.fnmatch_lines(
        [
            f"E *AdapterFailed: the adapter 'campaign' {said}"
            for said in (
                "raised Failed: no such campaign",
                "raised Skipped: not today",
                "raised SystemExit: gone",
                "raised KeyError: 'nothing of this name'",
                "returned 42; expected a URL, a Destination, *",
            )
        ]
    )


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_fixture_may_use_the_app_before_and_after_the_test(coroutines: pytest.Pytester) -> None:
    coroutines.makepyfile(
        """
        import pytest
        from scened.aio import expect

        @pytest.fixture
        async def anna(async_app):
            await async_app.sign_in("anna")
            yield async_app
            await expect(async_app).to_have_user(None)

        async def test_it(anna, async_windows, async_clock, clock):
            a, b = await async_windows("A", "B")
            assert await async_clock.now == clock.now
            await anna.sign_out()

        @pytest.mark.scened(fresh=True)
        async def test_alone(anna, app):
            assert app.session.user == "anna"
            app.sign_out()
        """
    )
    run(coroutines).assert_outcomes(passed=2)


def test_a_violation_fails_a_test_that_passed(
    coroutines: pytest.Pytester, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REAL_SCENED", program)
    coroutines.makepyfile("async def test_it(async_app):\n    await async_app.window()\n")
    result = run(coroutines, f"--scened={Path(__file__).parent / 'lying_scened.py'}")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *HistoryViolated: the records of this test violate what scened promises"])


def test_a_test_that_runs_a_coroutine_itself_may_have_the_app(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import asyncio

        async def race(app):
            window = await app.window("A")
            app.at("planned")

        def test_it(async_app):
            asyncio.run(race(async_app))
        """
    )
    result = run(suite, "-p", "no:asyncio")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *NothingHeld: app.at('planned') held nothing: *'async with app.at('planned'):'"])


def test_another_event_loop_than_asyncios_is_refused(suite: pytest.Pytester) -> None:
    pytest.importorskip("trio")
    suite.makeini(f"[pytest]\n{RUNNERS['anyio']}\n")
    suite.makeconftest(ANYIO.replace("asyncio", "trio"))
    suite.makepyfile("async def test_it(async_app):\n    await async_app.window()\n")
    result = run(suite)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*async_app needs asyncio; with anyio, a fixture anyio_backend *"])


def test_workers_of_xdist_run_coroutines(coroutines: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    coroutines.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("number", range(4))
        async def test_it(async_app, number):
            window = await async_app.window("A")
            await window.open("qcommerce://orders")
            assert number != 2
        """
    )
    run(coroutines, "-n", "2").assert_outcomes(passed=3, failed=1)
