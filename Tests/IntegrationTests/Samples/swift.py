#!/usr/bin/env python3
"""Stands in for `swift build` and `swift test` of a package that a tutorial shows.

SwiftPM would compile everything that the package depends on again, which takes minutes. It is all there, beside these tests: the
package's own files are compiled and linked against it, as another package's, so they see what is public. Package.swift is read by
SwiftPM itself, and decides which products a target may use. `make dependent` builds a new app without this.

Environment: SAMPLE_BUILD, the folder in which the tests were built; SAMPLE_SOURCES, the sources of scened.
"""

import functools
import glob
import json
import os
import pathlib
import subprocess
import sys

BUILD = os.environ["SAMPLE_BUILD"]
SOURCES = os.environ["SAMPLE_SOURCES"]
# The one behind this one.
HERE = os.path.realpath(os.path.dirname(sys.argv[0]))
PATH = os.pathsep.join(path for path in os.environ["PATH"].split(os.pathsep) if os.path.realpath(path) != HERE)
REAL = dict(os.environ, PATH=PATH)
RUNNER = "import Testing\n@main enum Runner { static func main() async { await Testing.__swiftPMEntryPoint() as Never } }\n"


def run(*words: str) -> None:
    done = subprocess.run(words, env=REAL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(done.stdout)


def manifest(folder: str) -> dict:
    words = ["swift", "package", "dump-package", "--package-path", folder]
    return json.loads(subprocess.run(words, env=REAL, check=True, capture_output=True, text=True).stdout)


@functools.cache
def scened() -> dict:
    return manifest(SOURCES)


def objects(products: set[str]) -> list[str]:
    """The object files of products of scened, and of what they depend on."""
    targets = {target["name"]: target for target in scened()["targets"]}
    offered = {product["name"]: product["targets"] for product in scened()["products"]}
    if unknown := products - offered.keys():
        sys.exit(f"error: scened has no product {', '.join(sorted(unknown))}")
    waiting = [target for product in products for target in offered[product]]
    needed, others = set(), False
    while waiting:
        name = waiting.pop()
        if name in needed:
            continue
        needed.add(name)
        for dependency in targets[name]["dependencies"]:
            if "byName" in dependency:
                waiting.append(dependency["byName"][0])
            else:
                others = True
    with open(f"{BUILD}/scenedPackageTests.product/Objects.LinkFileList") as lines:
        paths = [line.strip().strip("'\"") for line in lines]

    modules, ours = ({name.replace("-", "_") for name in names} for names in (needed, targets))

    def isNeeded(path: str) -> bool:
        module = next((part.removesuffix(".build") for part in path.split("/") if part.endswith(".build") and part != ".build"), "")
        return module in modules or others and module not in ours and not module.startswith("scenedPackage")

    return [path for path in paths if isNeeded(path)]


def depending(target: dict) -> tuple[set[str], list[str]]:
    """The products of scened and the package's own targets that a target names."""
    products = {d["product"][0] for d in target["dependencies"] if "product" in d}
    return products, [d["byName"][0] for d in target["dependencies"] if "byName" in d]


def build(package: dict, out: pathlib.Path, kinds: set[str]) -> None:
    targets = {target["name"]: target for target in package["targets"]}
    maps = glob.glob(f"{BUILD}/*.build/module.modulemap") + [
        path
        for path in glob.glob(f"{SOURCES}/.build/checkouts/*/**/include/module.modulemap", recursive=True)
        + glob.glob(f"{SOURCES}/.build/checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap")
        if "/Benchmarks/" not in path and "/GRDBSQLCipher/" not in path
    ]
    options = ["swiftc", "-swift-version", "6", "-wmo", "-parse-as-library", "-enable-testing", "-package-name", package["name"]]
    options += ["-I", f"{BUILD}/Modules", "-I", f"{SOURCES}/Sources/CSystemd", "-I", str(out)]
    options += [word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")]
    done: dict[str, str] = {}

    def compile(name: str) -> None:
        if name in done:
            return
        target = targets[name]
        products, own = depending(target)
        for other in own:
            compile(other)
        kind = target["type"]
        folder = pathlib.Path(target.get("path") or f"{'Tests' if kind == 'test' else 'Sources'}/{name}")
        files = [str(path) for path in sorted(folder.rglob("*.swift"))]
        if not files:
            sys.exit(f"error: the target {name} has no files in {folder}")
        if target["resources"]:
            text = "struct PackageResources {\n"
            for resource in target["resources"]:
                path = folder / resource["path"]
                text += f"static let {path.name.replace('.', '_').replace('-', '_')}: [UInt8] = {list(path.read_bytes())}\n"
            extra = out / f"{name}-resources.swift"
            extra.write_text(text + "}\n")
            files.append(str(extra))
        module = name.replace("-", "_")
        words = options + ["-module-name", module]
        if kind == "regular":
            done[name] = str(out / f"{name}.o")
            run(*words, "-emit-module", "-emit-module-path", str(out / f"{module}.swiftmodule"), "-emit-object", "-o", done[name], *files)
            return
        if kind == "test":
            runner = out / "Runner.swift"
            runner.write_text(RUNNER)
            files.append(str(runner))
        # What the package's own targets link, too.
        linked, waiting = set(products), list(own)
        while waiting:
            more, next_own = depending(targets[waiting.pop()])
            linked |= more
            waiting += next_own
        listed = out / f"{name}.objects"
        listed.write_text("".join(f'"{path}"\n' for path in [done[other] for other in own] + objects(linked)))
        done[name] = str(out / name)
        run(*words, "-o", done[name], *files, f"@{listed}", "-Xlinker", "--export-dynamic")

    for name in targets:
        if targets[name]["type"] in kinds:
            compile(name)


def main() -> None:
    command, *rest = sys.argv[1:]
    out = pathlib.Path(".build/debug")
    out.mkdir(parents=True, exist_ok=True)
    package = manifest(".")
    if command not in ("build", "test"):
        sys.exit(f"error: not known here: swift {command}")
    build(package, out, {"regular", "executable"} if command == "build" else {"regular", "test"})
    if command == "test":
        for target in package["targets"]:
            if target["type"] == "test":
                sys.stdout.flush()
                code = subprocess.run([out / target["name"], "--testing-library", "swift-testing", *rest]).returncode
                if code:
                    sys.exit(code)


main()
