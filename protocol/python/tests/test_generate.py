"""What is generated is what the interface files say."""

import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import scened
from scened._generated import async_methods, methods

FOLDER = Path(__file__).parent.parent
PROTOCOL = FOLDER.parent


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", FOLDER / "generate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["generate"] = module
    spec.loader.exec_module(module)
    return module


generate = generator()
INTERFACES = [generate.Parser(path.read_text(), path.name).interface() for path in sorted(PROTOCOL.glob("*.varlink"))]


def test_the_committed_files_are_what_the_generator_writes() -> None:
    done = subprocess.run(
        [sys.executable, FOLDER / "generate.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_file_that_is_out_of_date_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate, "OUTPUT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["generate.py"])
    assert generate.main() == 0
    (tmp_path / "app.py").write_text("")
    monkeypatch.setattr(sys, "argv", ["generate.py", "--check"])
    assert generate.main() == 1
    assert capsys.readouterr().err.startswith("app.py: ")


@pytest.mark.parametrize(
    ("short", "method"),
    [(i.short, m) for i in INTERFACES for m in i.all("method")],
    ids=lambda value: getattr(value, "name", value),
)
@pytest.mark.parametrize(("module", "prefix"), [(methods, ""), (async_methods, "Async")], ids=["sync", "async"])
def test_every_method_has_a_function_with_its_parameters(
    module: ModuleType, prefix: str, short: str, method: object
) -> None:
    function = getattr(getattr(module, prefix + short), generate.snake(method.name))  # type: ignore[attr-defined]
    parameters = inspect.signature(function).parameters
    wanted = {generate.snake(field.name): field.type.kind != "optional" for field in method.fields}  # type: ignore[attr-defined]
    assert {name: parameters[name].default is inspect.Parameter.empty for name in wanted} == wanted
    assert set(parameters) == {"self", "timeout", *wanted}
    assert inspect.getdoc(function)


@pytest.mark.parametrize(
    ("interface", "error"),
    [(i.name, e) for i in INTERFACES for e in i.all("error")],
    ids=lambda value: getattr(value, "name", value),
)
def test_every_error_has_a_class_with_its_parameters(interface: str, error: object) -> None:
    found = scened._generated.errors.BY_NAME[f"{interface}.{error.name}"]  # type: ignore[attr-defined]
    assert found is getattr(scened, error.name)  # type: ignore[attr-defined]
    declared = set(inspect.get_annotations(found)) if isinstance(found, type) else set()
    assert {generate.snake(field.name) for field in error.fields} <= declared  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("awaits", "blocks"),
    [
        ("async def send(self) -> None:", "def send(self) -> None:"),
        ("    return (await self.receipt).outcome", "    return (self.receipt).outcome"),
        ("if not await a() or await (b()):", "if not a() or (b()):"),
        ("[*found, *await self._context()]", "[*found, *self._context()]"),
        ("async with a, b: await c", "with a, b: c"),
        ("[x async for x in y]", "[x for x in y]"),
        ("await anext(questions)", "next(questions)"),
        ("async def __aenter__(self) -> AsyncEvents:", "def __enter__(self) -> Events:"),
        ("from .._generated.async_methods import AsyncEvents", "from ._generated.methods import Events"),
        ("from .. import _shown", "from . import _shown"),
        ("from .client import Client", "from .client import Client"),
        ("import asyncio  # async\nimport time", "import time"),
        ("    return 1  # async\n    # sync: return self.shown", "    return self.shown"),
        ('"""Is awaited by a task; await this."""', '"""Is awaited by a task; this."""'),
    ],
)
def test_what_blocks_is_what_awaits_without_the_words(awaits: str, blocks: str) -> None:
    heading, _, text = generate.mirror("app.py", awaits).partition("\n")
    assert heading == "# Written by generate.py from aio/app.py; do not edit."
    assert text == blocks + "\n"


@pytest.mark.parametrize("name", generate.MIRRORED)
def test_nothing_of_what_blocks_speaks_of_what_it_has_not(name: str) -> None:
    text = (FOLDER / "src" / "scened" / name).read_text()
    assert (
        re.findall(r"\b(?:async|await|awaited|asyncio|aio|coroutines?|tasks?|event loop)\b", text.partition("\n")[2])
        == []
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("interface a.b\nmethod M() -> !\n", "x.varlink:2: unexpected '!'"),
        ("interface a.b\nmethod M() (\n)\n", "x.varlink:2: found '(', expected ->"),
        ("interface a.b\nmethod M(a: (b: int)) -> ()\n", "a struct without a name is not supported"),
        ("interface a.b\nfoo\n", "found 'foo', expected type, method or error"),
    ],
)
def test_what_is_no_interface_is_refused_with_its_place(text: str, complaint: str) -> None:
    with pytest.raises(SystemExit, match=complaint.replace("(", r"\(")):
        generate.Parser(text, "x.varlink").interface()


@pytest.mark.parametrize(
    ("name", "python"),
    [
        ("OpenURL", "open_url"),
        ("OpenURLs", "open_urls"),
        ("webpageURL", "webpage_url"),
        ("from", "from_"),
        ("Try", "try_"),
        ("timeoutMilliseconds", "timeout_milliseconds"),
        ("appIDs", "app_ids"),
    ],
)
def test_names_are_pythons(name: str, python: str) -> None:
    assert generate.snake(name) == python
