import Foundation
import Weaving

/// A copy of the repository with the mutants in it. It leaves unchanged files alone, so that a second build is short.
struct ScratchCopy {
    let root: URL
    let tree: URL

    func write(_ weaver: Weaver) throws {
        var files: [String: Data] = [:]
        for path in try Program.output([
            "git", "-C", root.path, "ls-files", "--cached", "--others", "--exclude-standard", "-z",
        ])
        .split(separator: "\0").map(String.init)
        where FileManager.default.fileExists(atPath: root.appending(path: path).path) {
            files[path] = try Data(contentsOf: root.appending(path: path))
        }
        for (path, text) in try weaver.woven(read: { files[$0].map { String(decoding: $0, as: UTF8.self) } }) {
            files[path] = Data(text.utf8)
        }
        for (path, data) in files {
            let file = tree.appending(path: path)
            if let there = try? Data(contentsOf: file), there == data { continue }
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: file)
        }
        // Removes files that the repository no longer has.
        for folder in ["Sources", "Tests"] {
            guard let all = FileManager.default.enumerator(atPath: tree.appending(path: folder).path) else { continue }
            for case let path as String in all where path.hasSuffix(".swift") && files["\(folder)/\(path)"] == nil {
                try FileManager.default.removeItem(at: tree.appending(path: "\(folder)/\(path)"))
            }
        }
        // Results are valid as long as all sources are the same.
        let print = files.filter { $0.key.hasPrefix("Sources/") }.sorted { $0.key < $1.key }
            .reduce(into: "") { $0 += "\($1.key) \(Mutants.digest(String(decoding: $1.value, as: UTF8.self)))\n" }
        try String(Mutants.digest(print), radix: 16).write(
            to: tree.appending(path: ".print"),
            atomically: true,
            encoding: .utf8
        )
    }
}

/// Runs other programs.
enum Program {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func run(_ words: [String], environment: [String: String] = [:]) throws -> (status: Int32, output: Data) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    static func output(_ words: [String]) throws -> String {
        let (status, output) = try run(words)
        guard status == 0 else {
            throw Failure(description: "\(words.joined(separator: " ")) ended with status \(status)")
        }
        return String(decoding: output, as: UTF8.self)
    }
}
