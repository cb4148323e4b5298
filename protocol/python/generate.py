#!/usr/bin/env python3
"""Writes the types, errors and methods of the package from the interface files in `protocol/`, and from
scened.aio its mirror for tests that block.

python protocol/python/generate.py            # writes src/scened/_generated/ and the mirrors of src/scened/aio/
python protocol/python/generate.py --check    # exit status 1 if a file is not what would be written
"""

from __future__ import annotations

import argparse
import keyword
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROTOCOL = HERE.parent
PACKAGE = HERE / "src" / "scened"
OUTPUT = PACKAGE
WIDTH = 118
HEADING = '"""{what}\n\nWritten by generate.py from protocol/*.varlink; do not edit.\n"""\n\n'
HEADING += "from __future__ import annotations\n"

SERVICE = """
# The errors that every Varlink service has.
interface org.varlink.service

# There is no such interface.
error InterfaceNotFound (
  # Its name.
  interface: string
)

# There is no such method.
error MethodNotFound (
  # Its full name.
  method: string
)

# The daemon does not have this method.
error MethodNotImplemented (
  # Its full name.
  method: string
)

# A parameter is missing, unknown, or not of its type or range.
error InvalidParameter (
  # Its name.
  parameter: string,
  # What is wrong and what is expected.
  reason: ?string
)

# The caller lacks a role.
error PermissionDenied (
  # The role.
  role: ?string
)

# The method streams, and was called without `more`.
error ExpectedMore ()
"""


# MARK: What an interface file says.


@dataclass(frozen=True, slots=True)
class Type:
    """A type of the interface language: a word for the kind, and what it is of."""

    kind: str
    of: Type | None = None
    name: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """A member of a struct, with its documentation."""

    name: str
    type: Type
    doc: str


@dataclass(frozen=True, slots=True)
class Member:
    """A type (of fields, or of words), a method or an error."""

    kind: str
    name: str
    doc: str
    fields: tuple[Field, ...] = ()
    words: tuple[str, ...] = ()
    reply: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Interface:
    """An interface file."""

    name: str
    members: tuple[Member, ...]

    @property
    def short(self) -> str:
        """The last part of its name, such as Events."""
        return self.name.rpartition(".")[2]

    def all(self, kind: str) -> Iterator[Member]:
        """Its members of a kind, in their order."""
        return (member for member in self.members if member.kind == kind)


class Parser:
    """Reads one interface file."""

    TOKEN = re.compile(
        r"(?P<space>[ \t\r\n]+)|#(?P<comment>[^\n]*)|(?P<symbol>->|\[\]|\[string\]|[()?:,])|(?P<word>[A-Za-z0-9_.]+)"
    )

    def __init__(self, text: str, file: str) -> None:
        self.tokens: list[tuple[str, str, int]] = []
        self.place = 0
        self.file = file
        self.comments: list[str] = []
        position = 0
        while position < len(text):
            match = self.TOKEN.match(text, position)
            line = text.count("\n", 0, position) + 1
            if match is None:
                raise SystemExit(f"{file}:{line}: unexpected {text[position]!r}")
            kind = match.lastgroup or ""
            value = match.group(kind)
            if kind == "space" and value.count("\n") > 1:
                self.tokens.append(("gap", "", line))
            elif kind != "space":
                self.tokens.append((kind, value, line))
            position = match.end()
        self.tokens.append(("end", "", text.count("\n") + 1))

    def next(self) -> str:
        """The next word or symbol; the comments directly in front of it are kept for `doc`."""
        self.comments = []
        while True:
            kind, value, _ = self.tokens[self.place]
            if kind == "end":
                return ""
            self.place += 1
            if kind == "comment":
                self.comments.append(value.strip())
            elif kind == "gap":
                self.comments = []
            else:
                return value

    def peek(self) -> str:
        """The next word or symbol, which `next` gives again."""
        place = self.place
        value = self.next()
        self.place = place
        return value

    def expect(self, *wanted: str) -> str:
        value = self.next()
        if value not in wanted:
            line = self.tokens[self.place - 1][2]
            raise SystemExit(f"{self.file}:{line}: found {value!r}, expected {' or '.join(wanted)}")
        return value

    def doc(self) -> str:
        """The comments in front of the last word, as paragraphs."""
        return "\n".join(self.comments).strip()

    def interface(self) -> Interface:
        self.expect("interface")
        name = self.next()
        members = []
        while word := self.next():
            doc = self.doc()
            if word not in ("type", "method", "error"):
                raise SystemExit(f"{self.file}: found {word!r}, expected type, method or error")
            members.append(self.member(word, self.next(), doc))
        return Interface(name, tuple(members))

    def member(self, kind: str, name: str, doc: str) -> Member:
        self.expect("(")
        if kind == "type" and self.is_enumeration():
            return Member(kind, name, doc, words=self.words())
        fields = self.fields()
        if kind != "method":
            return Member(kind, name, doc, fields)
        self.expect("->")
        self.expect("(")
        return Member(kind, name, doc, fields, reply=self.fields())

    def is_enumeration(self) -> bool:
        place = self.place
        self.next()
        second = self.next()
        self.place = place
        return second in (",", ")")

    def words(self) -> tuple[str, ...]:
        words = []
        while True:
            words.append(self.next())
            if self.expect(",", ")") == ")":
                return tuple(words)

    def fields(self) -> tuple[Field, ...]:
        fields: list[Field] = []
        if self.peek() == ")":
            self.next()
            return ()
        while True:
            name = self.next()
            doc = self.doc()
            self.expect(":")
            fields.append(Field(name, self.type(), doc))
            if self.expect(",", ")") == ")":
                return tuple(fields)

    def type(self) -> Type:
        word = self.next()
        if word == "?":
            return Type("optional", self.type())
        if word == "[]":
            return Type("array", self.type())
        if word == "[string]":
            return Type("map", self.type())
        if word == "(":
            if not self.is_enumeration():
                raise SystemExit(f"{self.file}: a struct without a name is not supported")
            return Type("words", words=self.words())
        if word in ("string", "int", "bool", "float", "object"):
            return Type(word)
        return Type("named", name=word)


# MARK: What becomes of it in Python.


def snake(name: str) -> str:
    """`openURLs` as `open_urls`, and what is a keyword of Python with an underscore behind it."""
    name = re.sub(r"([A-Z]{2,})s(?![a-z])", lambda match: match.group(1).capitalize() + "s", name)
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name).lower()
    return name + "_" if keyword.iskeyword(name) else name


def annotation(type: Type) -> str:
    """The type in Python."""
    match type.kind:
        case "optional":
            return f"{annotation(part(type))} | None"
        case "array":
            return f"list[{annotation(part(type))}]"
        case "map":
            return f"dict[str, {annotation(part(type))}]"
        case "words":
            return "Literal[" + ", ".join(f'"{word}"' for word in type.words) + "]"
        case "named":
            return type.name
        case "object":
            return "JSONObject"
        case simple:
            return {"string": "str", "int": "int", "bool": "bool", "float": "float"}[simple]


def accepted(type: Type) -> str:
    """The type of a parameter, which may be any sequence where the wire has an array."""
    match type.kind:
        case "optional":
            return f"{accepted(part(type))} | None"
        case "array":
            return f"Sequence[{accepted(part(type))}]"
        case "map":
            return f"Mapping[str, {accepted(part(type))}]"
        case "object":
            return "Mapping[str, JSON]"
        case _:
            return annotation(type)


def part(type: Type) -> Type:
    """What an optional, an array or a map is of."""
    assert type.of is not None
    return type.of


class Types:
    """The named types of all interfaces: each name stands for one shape."""

    def __init__(self, interfaces: list[Interface]) -> None:
        self.structs: dict[str, tuple[Field, ...]] = {}
        self.words: dict[str, tuple[str, ...]] = {}
        self.docs: dict[str, str] = {}
        for interface in interfaces:
            for member in interface.all("type"):
                shape = [(field.name, field.type) for field in member.fields]
                known = self.structs.get(member.name)
                if known is not None and [(field.name, field.type) for field in known] != shape:
                    raise SystemExit(f"{interface.name}: {member.name} has another shape in another interface")
                self.docs.setdefault(member.name, member.doc)
                if member.words:
                    self.words[member.name] = member.words
                else:
                    self.structs.setdefault(member.name, member.fields)

    def decoder(self, type: Type) -> str:
        """An expression for the function that reads a value of this type."""
        match type.kind:
            case "optional":
                return f"optional({self.decoder(part(type))})"
            case "array":
                return f"array({self.decoder(part(type))})"
            case "map":
                return f"mapping({self.decoder(part(type))})"
            case "words":
                return f"cast(Decoder[{annotation(type)}], text)"
            case "named":
                return f"cast(Decoder[{type.name}], text)" if type.name in self.words else f"{type.name}.decode"
            case simple:
                return {
                    "string": "text",
                    "int": "integer",
                    "bool": "boolean",
                    "float": "number",
                    "object": "json_object",
                }[simple]

    def encoded(self, type: Type, value: str) -> str:
        """An expression for a value of this type as JSON."""
        if not self.holds_struct(type):
            return value
        match type.kind:
            case "optional":
                return f"None if {value} is None else {self.encoded(part(type), value)}"
            case "array":
                return f"[{self.encoded(part(type), 'item')} for item in {value}]"
            case "map":
                return f"{{key: {self.encoded(part(type), 'item')} for key, item in {value}.items()}}"
            case _:
                return f"{value}.encode()"

    def holds_struct(self, type: Type) -> bool:
        return type.name in self.structs if type.kind == "named" else type.of is not None and self.holds_struct(type.of)


def quoted(doc: str, indent: str) -> str:
    """A documentation string."""
    doc = doc.replace("\\", "\\\\").replace('"""', "'''")
    if doc.endswith('"'):
        doc += " "
    lines = textwrap.wrap(
        " ".join(doc.split()), WIDTH - len(indent) - 6, break_long_words=False, break_on_hyphens=False
    )
    if len(lines) <= 1:
        return f'{indent}"""{"".join(lines)}"""\n'
    return f'{indent}"""{lines[0]}\n' + "".join(f"{indent}{line}\n" for line in lines[1:]) + f'{indent}"""\n'


def dataclass_text(name: str, doc: str, fields: tuple[Field, ...], types: Types, encodes: bool) -> str:
    """A frozen class of these fields that reads itself from JSON."""
    text = f"\n\n@dataclass(frozen=True, slots=True)\nclass {name}:\n" + quoted(doc, "    ") + "\n"
    # What a test makes itself need not say that a mapping at the end is empty: Destination("help").
    ends = [encodes and all(other.type.kind == "map" for other in fields[index:]) for index in range(len(fields))]
    for field, may_be_left_out in zip(fields, ends, strict=True):
        default = " = field(default_factory=dict)" if may_be_left_out else ""
        text += f"    {snake(field.name)}: {annotation(field.type)}{default}\n" + quoted(field.doc, "    ")
    text += f'\n    @classmethod\n    def decode(cls, value: JSON, path: str = "") -> {name}:\n'
    text += '        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""\n'
    text += "        fields = members(value, path)\n        return cls(\n"
    for field in fields:
        text += f'            {snake(field.name)}={types.decoder(field.type)}(*member(fields, "{field.name}", path)),\n'
    text += "        )\n"
    if encodes:
        text += '\n    def encode(self) -> JSONObject:\n        """It as JSON, without what is None."""\n'
        text += "        return present(\n            {\n"
        for field in fields:
            text += f'                "{field.name}": {types.encoded(field.type, "self." + snake(field.name))},\n'
        text += "            }\n        )\n"
    return text


def reply_name(interface: Interface, method: Member) -> str:
    return f"{interface.short}{method.name}Reply"


def types_module(interfaces: list[Interface], types: Types) -> str:
    text = HEADING.format(what="The types of the socket API and the replies to its methods.")
    text += "\nfrom dataclasses import dataclass, field\nfrom typing import Literal, TypeAlias, cast\n"
    text += (
        "\nfrom .._codec import (\n    JSON,\n    Decoder,\n    JSONObject,\n    array,\n    boolean,\n    integer,\n"
    )
    text += "    json_object,\n    mapping,\n    member,\n    members,\n    optional,\n    present,\n    text,\n)\n"
    names = list(types.words) + list(types.structs)
    for word, words in types.words.items():
        text += f"\n{word}: TypeAlias = Literal[{', '.join(chr(34) + each + chr(34) for each in words)}]\n"
        text += quoted(types.docs[word], "")
    for name, fields in types.structs.items():
        text += dataclass_text(name, types.docs[name], fields, types, encodes=True)
    for interface in interfaces:
        for method in interface.all("method"):
            if method.reply:
                names.append(reply_name(interface, method))
                doc = f"The reply to {interface.short}.{method.name}."
                text += dataclass_text(names[-1], doc, method.reply, types, encodes=False)
    return text + "\n\n__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(names)) + "]\n"


def errors_module(interfaces: list[Interface], types: Types) -> str:
    """Errors of one name are one class, whichever interface has them; a field that not all have may be None."""
    merged: dict[str, tuple[str, dict[str, Field]]] = {}
    full: dict[str, str] = {}
    for interface in interfaces:
        for error in interface.all("error"):
            full[f"{interface.name}.{error.name}"] = error.name
            if error.name not in merged:
                merged[error.name] = (error.doc, {field.name: field for field in error.fields})
                continue
            known = merged[error.name][1]
            for field in error.fields:
                if field.name not in known:
                    known[field.name] = optional_field(field)
                elif bare(known[field.name].type) != bare(field.type):
                    raise SystemExit(
                        f"{interface.name}.{error.name}: {field.name} has another type in another interface"
                    )
            for name in known.keys() - {field.name for field in error.fields}:
                known[name] = optional_field(known[name])
    text = HEADING.format(what="The errors of the socket API, by the names that the interface files give them.")
    named = sorted(
        name for name in types.structs if any(uses(f.type, name) for _, fs in merged.values() for f in fs.values())
    )
    used = {kind for _, fields in merged.values() for field in fields.values() for kind in kinds(field.type)}
    functions = {
        "string": "text",
        "int": "integer",
        "bool": "boolean",
        "object": "json_object",
        "array": "array",
        "map": "mapping",
        "optional": "optional",
    }
    imports = sorted({"member"} | {functions[kind] for kind in used if kind in functions})
    upper = ["JSONObject"] + (["Decoder"] if "words" in used else [])
    text += "\nfrom collections.abc import Callable\n"
    text += "from typing import Literal, cast\n\n" if "words" in used else "\n"
    text += f"from .._codec import {', '.join(sorted(upper) + imports)}\n"
    text += "from .._errors import DaemonError\n"
    text += f"from .types import {', '.join(named)}\n" if named else ""
    for name, (doc, fields) in sorted(merged.items()):
        text += f"\n\nclass {name}(DaemonError):\n" + quoted(doc, "    ") + "\n"
        for field in fields.values():
            text += f"    {snake(field.name)}: {annotation(field.type)}\n" + quoted(field.doc, "    ")
        text += "" if not fields else "\n"
        text += "    def __init__(self, name: str, parameters: JSONObject) -> None:\n"
        sentence = " ".join(doc.split())
        first = re.match(r".*?\.(?= |$)", sentence)
        text += f"        super().__init__(name, parameters, {(first.group(0) if first else sentence)!r})\n"
        for field in fields.values():
            text += (
                f'        self.{snake(field.name)} = {types.decoder(field.type)}(*member(parameters, "{field.name}"))\n'
            )
    text += "\n\nBY_NAME: dict[str, Callable[[str, JSONObject], DaemonError]] = {\n"
    text += "".join(f'    "{name}": {error},\n' for name, error in sorted(full.items())) + "}\n"
    text += '"""The class for each error\'s full name."""\n'
    return text + "\n__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(merged)) + "]\n"


def bare(type: Type) -> Type:
    return part(type) if type.kind == "optional" else type


def optional_field(field: Field) -> Field:
    return field if field.type.kind == "optional" else Field(field.name, Type("optional", field.type), field.doc)


def kinds(type: Type) -> Iterator[str]:
    yield type.kind
    if type.of is not None:
        yield from kinds(type.of)


def uses(type: Type, name: str) -> bool:
    return type.name == name or (type.of is not None and uses(type.of, name))


def method_text(interface: Interface, method: Member, types: Types, is_async: bool, streams: bool, name: str) -> str:
    required = [field for field in method.fields if field.type.kind != "optional"]
    optional = [field for field in method.fields if field.type.kind == "optional"]
    stream = "AsyncStream" if is_async else "Stream"
    reply = reply_name(interface, method) if method.reply else "None"
    result = f"{stream}[{reply}]" if streams else reply
    text = f"\n    {'async ' if is_async else ''}def {name}(\n        self,\n"
    text += "".join(f"        {snake(field.name)}: {accepted(field.type)},\n" for field in required)
    text += "        *,\n" + "".join(
        f"        {snake(field.name)}: {accepted(field.type)} = None,\n" for field in optional
    )
    text += f"        timeout: float | None = None,\n    ) -> {result}:\n"
    text += described(method, streams)
    text += f'        call = Call(\n            "{interface.name}.{method.name}",\n'
    if method.fields:
        text += "            present(\n                {\n"
        for field in method.fields:
            text += f'                    "{field.name}": {types.encoded(field.type, snake(field.name))},\n'
        text += "                }\n            ),\n"
    else:
        text += "            {},\n"
    text += f"            {reply + '.decode' if method.reply else 'nothing'},\n        )\n"
    await_ = "await " if is_async else ""
    return text + f"        return {await_}self._caller.{'stream' if streams else 'call'}(call, timeout)\n"


def wrap(doc: str, indent: str, more: str = "") -> str:
    """Lines of documentation; those after the first are indented by `more` as well."""
    words = " ".join(doc.split())
    return "\n".join(
        textwrap.wrap(
            words,
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent + more,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


def described(method: Member, streams: bool) -> str:
    """The documentation string of a method: what it does, then its parameters."""
    doc = method.doc.replace("\\", "\\\\")
    text = wrap('"""' + doc, "        ") + "\n"
    text += "\n        Args:\n"
    for field in method.fields:
        text += wrap(f"{snake(field.name)}: {field.doc}".replace("\\", "\\\\"), "            ", "    ") + "\n"
    what = "until the call is sent" if streams else "for the reply"
    text += f"            timeout: How long to wait {what}, in seconds; None takes the client's.\n"
    return text + '        """\n'


def is_streaming(method: Member) -> bool:
    """Whether a method has a stream of replies if it is asked for, as its documentation says."""
    return "With more" in method.doc or "requires more" in method.doc


def methods_module(interfaces: list[Interface], types: Types, is_async: bool) -> str:
    word = "Async" if is_async else ""
    text = HEADING.format(
        what=f"The methods of the socket API, {'for asyncio' if is_async else 'each of which blocks'}."
    )
    used = sorted(
        {
            name
            for name in [*types.structs, *types.words]
            for interface in interfaces
            for method in interface.all("method")
            for field in method.fields
            if uses(field.type, name)
        }
        | {
            reply_name(interface, method)
            for interface in interfaces
            for method in interface.all("method")
            if method.reply
        }
    )
    text += "\nfrom collections.abc import Mapping, Sequence\nfrom typing import Literal\n\n"
    text += f"from .._calls import {', '.join(sorted([f'{word}Caller', f'{word}Stream', 'Call']))}\n"
    text += "from .._codec import JSON, nothing, present\n"
    text += "from .types import (\n" + "".join(f"    {name},\n" for name in used) + ")\n"
    text += "\n# A failed test is shown where it calls a method, not the inside.\n__tracebackhide__ = True\n"
    for interface in interfaces:
        text += f"\n\nclass {word}{interface.short}:\n" + quoted(f"The methods of {interface.name}.", "    ")
        text += f'\n    __slots__ = ("_caller",)\n\n    def __init__(self, caller: {word}Caller) -> None:\n'
        text += "        self._caller = caller\n"
        for method in interface.all("method"):
            name = snake(method.name)
            if "requires more" in method.doc:
                text += method_text(interface, method, types, is_async, True, name)
                continue
            text += method_text(interface, method, types, is_async, False, name)
            if is_streaming(method):
                text += method_text(interface, method, types, is_async, True, f"follow_{name}")
    text += f"\n\nclass {word}Interfaces:\n" + quoted("All interfaces of the daemon, each as an attribute.", "    ")
    text += f"\n    def __init__(self, caller: {word}Caller) -> None:\n"
    for interface in interfaces:
        text += f"        self.{snake(interface.short)} = {word}{interface.short}(caller)\n"
    return text


# MARK: What blocks, from what is awaited.

MIRRORED = ("_names.py", "adapters.py", "app.py", "clock.py", "expectations.py")
"""The modules of scened.aio that have a mirror beside that package."""

MIRROR_HEADING = "# Written by generate.py from aio/{name}; do not edit.\n"

REPLACEMENTS = (
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait (?=[\w(*])", ""),
    (r"\b__a(enter|exit|iter|next)__\b", r"__\1__"),
    (r"\banext\(", "next("),
    (r"\bAsync([A-Z]\w*)", r"\1"),
    (r"\basync_methods\b", "methods"),
    (r"\bscened\.aio\b", "scened"),
    (r"\bin a task of its own\b", "on a thread of its own"),
    (r"\banother task\b", "another thread"),
    (r"^from \.\.", "from ."),
)


def mirror(name: str, text: str) -> str:
    """The module that blocks where this one, of scened.aio, awaits: the same without `async` and `await`.

    A line that ends in `# async` is left out, and of `# sync: …` the rest becomes a line.
    """
    lines = [line for line in text.splitlines() if not line.endswith("  # async")]
    mirrored = "\n".join(re.sub(r"^( *)# sync: ", r"\1", line) for line in lines) + "\n"
    for pattern, replacement in REPLACEMENTS:
        mirrored = re.sub(pattern, replacement, mirrored, flags=re.MULTILINE)
    return MIRROR_HEADING.format(name=name) + mirrored


def modules() -> dict[str, str]:
    """The text of each generated file, by its path in the package."""
    interfaces = [Parser(path.read_text("utf-8"), path.name).interface() for path in sorted(PROTOCOL.glob("*.varlink"))]
    types = Types(interfaces)
    service = Parser(SERVICE, "org.varlink.service").interface()
    return {
        "_generated/__init__.py": '"""What is written by generate.py."""\n',
        "_generated/types.py": types_module(interfaces, types),
        "_generated/errors.py": errors_module([*interfaces, service], types),
        "_generated/methods.py": methods_module(interfaces, types, is_async=False),
        "_generated/async_methods.py": methods_module(interfaces, types, is_async=True),
        **{name: mirror(name, (PACKAGE / "aio" / name).read_text("utf-8")) for name in MIRRORED},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; say which files differ")
    check = parser.parse_args().check
    differing = []
    for name, text in modules().items():
        path = OUTPUT / name
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:
            differing.append(name)
            if not check:
                path.write_text(text, "utf-8")
    if check and differing:
        print(
            f"{', '.join(differing)}: not what the interface files and scened.aio say; run protocol/python/generate.py",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
