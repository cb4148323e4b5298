"""The package for asyncio: the same names as in `scened`, and whatever asks the daemon is awaited.

    from scened.aio import App, expect

    async def test_a_sign_out_overtakes_a_link(async_app: App) -> None:
        await async_app.sign_in("anna")
        window = await async_app.window("A")
        async with window.at("planned"):
            link = await window.open("https://shop.example/cart")
            await async_app.sign_out()
        await expect(window).not_to_show("cart")
        assert await link.gate == "signedIn"

The modules of this package are the source of those beside it: generate.py writes `scened/app.py` from `app.py`, and so
on. What tasks and threads do differently is in `client.py` and `_concurrency.py`, of which there are two.
"""

from .app import App, Event, Hold, Window
from .client import Client
from .clock import Clock
from .expectations import expect

__all__ = ["App", "Client", "Clock", "Event", "Hold", "Window", "expect"]
