import Foundation
import Subprocess
import TestFixtures
import Testing

/// The Python package in `protocol/python`, in a virtual environment of its own.
@Suite(
    "The Python package and the live daemon",
    .enabled(if: PythonPackage.isPossible, "no .build/python-venv; '.ci/setup test' makes it"),
    .serialized,
    .timeLimit(.minutes(15))
)
struct PythonPackageTests {
    @Test("is installed into an empty environment by what its page says, and its examples pass")
    func installed() async throws {
        let package = try await PythonPackage.installed.value
        let commands = try PythonPackage.commands()
        #expect(commands.count == 3)
        // The page's words, with the daemon that was built.
        let pytest = try #require(commands.last).replacing(".build/debug/scened", with: Command.built("scened"))
        let run = try await package.shell("\(pytest) -p no:cacheprovider")
        #expect(run.status == .exited(0), "\(run.output)\(run.errors)")
        #expect(run.output.contains(#/3\d passed in /#), "\(run.output)")
        #expect(
            !FileManager.default.fileExists(atPath: "\(package.folder)/test-results"),
            "passing tests leave nothing"
        )
    }

    @Test("keeps what its own tests say")
    func tests() async throws {
        let package = try await PythonPackage.installed.value
        let pytest = ".venv/bin/pytest -p no:cacheprovider -n 2"
        let run = try await package.shell("\(pytest) protocol/python/tests --scened='\(Command.built("scened"))'")
        #expect(run.status == .exited(0), "\(run.output)\(run.errors)")
    }

    @Test(
        "is laid out as 'ruff format' does it, and 'ruff check' finds nothing",
        arguments: ["format --check", "check"]
    )
    func layout(words: String) async throws {
        let package = try await PythonPackage.installed.value
        let ruff = "'\(PythonEnvironment.python)' -m ruff \(words) --no-cache --quiet"
        // Not the folder that pip has built in.
        let run = try await package.shell("cd protocol/python && \(ruff) src tests examples generate.py")
        #expect(run.status == .exited(0), "\(run.output)\(run.errors)")
    }

    @Test("has no type that 'mypy --strict' objects to, nor have its examples and tests")
    func types() async throws {
        let package = try await PythonPackage.installed.value
        // What one call has found out of the libraries the next ones take over; the folder is a new one each time.
        let python = "--python-executable .venv/bin/python --cache-dir .mypy_cache"
        let mypy = "'\(PythonEnvironment.python)' -m mypy --strict \(python)"
        // The examples are checked against the package as it was installed, which says that it has types.
        for files in ["examples", "tests", "src/scened", "generate.py"] {
            let run = try await package.shell("\(mypy) protocol/python/\(files)")
            #expect(run.status == .exited(0), "\(run.output)\(run.errors)")
        }
        try "import scened\nscened.App('x').window('A').open(3)\n"
            .write(toFile: "\(package.folder)/wrong.py", atomically: true, encoding: .utf8)
        let wrong = try await package.shell("\(mypy) wrong.py")
        #expect(wrong.status == .exited(1) && wrong.output.contains("expected \"str\""), "\(wrong.output)")
    }
}

/// A copy of what the package is made from, and the environment in which it was installed.
struct PythonPackage: Sendable {
    let folder: String

    private static let root = URL(fileURLWithPath: ProtocolFilesTests.folder).deletingLastPathComponent().path
    static let wheels = "\(root)/.build/python-venv/wheels"
    static let isPossible = PythonEnvironment.isInstalled && FileManager.default.fileExists(atPath: wheels)

    /// Installed once, when the first test wants it.
    static let installed = Task { try await install() }

    private static func install() async throws -> PythonPackage {
        // Always the same one, because nothing would remove it at the end of the process.
        let package = PythonPackage(folder: "\(root)/.build/python-package")
        try? FileManager.default.removeItem(atPath: package.folder)
        try FileManager.default.createDirectory(atPath: package.folder, withIntermediateDirectories: true)
        // pip writes into the folder that it builds from. The package's tests read the others: what they compare words with.
        let words = "Sources/SceneVocabulary"
        let sources = "'\(root)'/protocol/*.varlink '\(root)/protocol/record.schema.json' '\(root)/protocol/python'"
        let copy =
            "mkdir -p protocol \(words) && cp -R \(sources) protocol/ && cp '\(root)/\(words)/Reasons.swift' \(words)/"
        let others = ".venv/bin/pip install --quiet pytest-xdist pytest-asyncio anyio"
        for command in [copy] + (try commands().dropLast()) + [others] {
            let run = try await package.shell(command)
            #expect(run.status == .exited(0), "\(command): \(run.output)\(run.errors)")
        }
        return package
    }

    /// The commands in the section Install of the package's page.
    static func commands() throws -> [String] {
        let page = try String(contentsOfFile: "\(root)/protocol/python/README.md", encoding: .utf8)
        let section = page.components(separatedBy: "## Install").last?.components(separatedBy: "\n## ").first ?? ""
        return section.split(separator: "\n").filter { $0.hasPrefix("    $ ") }.map { String($0.dropFirst(6)) }
    }

    /// Runs a command in the folder, with the wheels that were downloaded as pip's only index.
    func shell(_ command: String) async throws -> Program.Outcome {
        try await Program.run(
            "/bin/sh",
            ["-euc", "cd '\(folder)' && \(command)"],
            environment: [
                "PATH": "/usr/bin:/bin", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": Self.wheels,
                "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONDONTWRITEBYTECODE": "1", "SCENED": nil,
            ]
        )
    }
}
