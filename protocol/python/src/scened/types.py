"""The types of the socket API and the replies to its methods. Their `Window` is what a window shows; `scened.Window` is
what a test has in its hands."""

from ._generated.types import *  # noqa: F403
from ._generated.types import __all__ as __all__
