import Foundation

import TestFixtures
import Testing

/// The Python package `varlink` 31.0.0 in a virtual environment: a peer that is not ours.
enum PythonPackage {
    static let absence: Comment =
        "needs .build/python-venv: python3 -m venv .build/python-venv && .build/python-venv/bin/pip install varlink==31.0.0"

    static let interpreter = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".build/python-venv/bin/python").path

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: interpreter) }

    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    private static func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: interpreter)
        process.arguments = ["-u"] + arguments
        process.environment = ["PYTHONHASHSEED": "0", "PATH": "/usr/bin:/bin"]
        return process
    }

    /// Runs the interpreter to its end.
    static func run(_ arguments: [String], input: String = "") async throws -> Outcome {
        try await BlockingCalls.run {
            let process = process(arguments)
            let folder = FileManager.default.temporaryDirectory.appending(path: "python-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            // Files rather than pipes, which would have to be read while it runs.
            let streams = ["input", "output", "errors"].map { folder.appending(path: $0) }
            try Data(input.utf8).write(to: streams[0])
            for stream in streams[1...] { try Data().write(to: stream) }
            process.standardInput = try FileHandle(forReadingFrom: streams[0])
            process.standardOutput = try FileHandle(forWritingTo: streams[1])
            process.standardError = try FileHandle(forWritingTo: streams[2])
            try process.run()
            process.waitUntilExit()
            return Outcome(
                status: process.terminationStatus,
                output: String(decoding: try Data(contentsOf: streams[1]), as: UTF8.self),
                errors: String(decoding: try Data(contentsOf: streams[2]), as: UTF8.self)
            )
        }
    }

    /// Runs `body` while the package's certification server listens at the path it is given.
    static func withCertificationServer<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "python-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "socket").path
        let process = process(["-m", "varlink.tests.test_certification", "--varlink=unix:\(path)"])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // SIGTERM would not do: it is blocked in children that Swift's threads start.
        defer { kill(process.processIdentifier, SIGKILL) }
        // It says "Listening on …" once it does.
        let handle = output.fileHandleForReading.fileDescriptor
        let first = try await BlockingCalls.run {
            var byte: UInt8 = 0
            return read(handle, &byte, 1)
        }
        try #require(first == 1)
        return try await body(path)
    }
}
