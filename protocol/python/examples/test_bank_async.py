"""The bank's navigation, tested by coroutines: what happens at once is sent at once.

    pip install pytest-asyncio
    pytest protocol/python/examples --scened=.build/debug/scened

`test_bank.py` has the same API for tests that block.
"""

import asyncio

import pytest

from scened import Asked, Destination
from scened.aio import App, Clock, Event, Window, expect

pytest.importorskip("pytest_asyncio", reason="needs pytest-asyncio, which runs tests that are coroutines")

pytestmark = [pytest.mark.asyncio, pytest.mark.scened(app="bank")]


# MARK: Several windows at once


async def test_links_come_to_all_windows_at_once(async_app: App) -> None:
    await async_app.sign_in("anna")
    a, b, c = await async_app.windows("A", "B", "C")
    links = await asyncio.gather(
        a.open("bank://account/a1"),
        b.open("https://bank.example/account/a1"),
        c.push({"aps": {"alert": "Paid in"}, "account": "a1"}),
    )
    for link in links:
        await expect(link).to_be("applied")
    for window in (a, b, c):
        await expect(window).to_show("accounts", "account(id: a1)")


async def test_a_sign_out_overtakes_the_links_of_two_windows(async_app: App) -> None:
    await async_app.sign_in("anna")
    a, b = await async_app.windows("A", "B")
    async with a.at("planned"), b.at("planned"):
        links = await asyncio.gather(a.open("bank://account/a1"), b.open("bank://receipt/t7"))
        await async_app.sign_out()
    for window, link in ((a, links[0]), (b, links[1])):
        await expect(window).not_to_show("account", "receipt")
        await expect(link).to_be_gated_at("login")


async def test_two_windows_pay_at_once_and_both_count(async_app: App) -> None:
    async def pay(window: Window, reference: str) -> Event:
        await window.open("bank://transfer")
        await window.report("payeeChosen", payee="mina")
        await window.report("amountEntered", payee="mina", amount="5")
        async with window.at("planned"):
            return await window.report("confirmed", reference=reference)

    await async_app.sign_in("anna", approved=["mina"])
    a, b = await async_app.windows("A", "B")
    await asyncio.gather(pay(a, "t1"), pay(b, "t2"))
    await expect(async_app).to_have_facts(transfers=2)


async def test_a_sign_out_and_a_link_end_well_in_either_order(async_app: App) -> None:
    await async_app.sign_in("anna")
    window = await async_app.window()
    async with asyncio.TaskGroup() as group:
        group.create_task(async_app.sign_out())
        link = group.create_task(window.open("bank://account/a1"))
    await expect(window).not_to_show("account")
    assert await link.result().outcome in ("applied", "gated")


# MARK: What takes its time


async def test_a_link_that_waits_for_the_login_can_be_given_up(async_app: App) -> None:
    window = await async_app.window()
    link = await window.open("bank://account/a1")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await link.finished()

    await async_app.sign_in("anna")
    assert await (await link.finished()).outcome == "applied"


async def test_a_link_is_awaited_while_somebody_signs_in(async_app: App) -> None:
    window = await async_app.window()
    link = await window.open("bank://account/a1")
    await expect(link).to_be_gated_at("login")
    async with asyncio.TaskGroup() as group:
        group.create_task(link.finished())
        await window.report("introRead")
        await window.report("named", user="anna")
        await window.report("codeEntered", user="anna", code="123456")
    await expect(window).to_show("accounts", "account")


@pytest.mark.scened(transition=350)
async def test_a_tap_during_a_transition_is_ignored(async_app: App, async_clock: Clock) -> None:
    await async_app.sign_in("anna")
    window = await async_app.window()
    with async_clock.stopped():
        link = await window.open("bank://account/a1")
        await async_clock.advance(349)
        await expect(window).to_be_transitioning()
        await expect(await window.back()).to_be("ignored")
        await async_clock.advance(1)
        await expect(link).to_be("applied")


# MARK: An adapter


async def test_an_adapter_awaits_what_the_test_does_meanwhile(async_app: App) -> None:
    campaigns: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()

    @async_app.adapter(kinds=["push"], priority=20)
    async def campaign(asked: Asked) -> Destination | None:
        topic = (await campaigns).get(asked.payload.get("campaign", ""))
        return Destination("help", {"topic": topic}) if topic else None

    await async_app.sign_in("anna")
    window = await async_app.window()
    async with asyncio.TaskGroup() as group:
        group.create_task(window.push({"aps": {"alert": "New cards"}, "campaign": "spring"}))
        await expect(async_app).to_have_user("anna")
        campaigns.set_result({"spring": "cards"})
    await expect(window).to_show("accounts", "help(topic: cards)")
