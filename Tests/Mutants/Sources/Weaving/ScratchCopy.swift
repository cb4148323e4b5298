import Foundation

/// A copy of the repository with mutants in it. It leaves unchanged files alone, so that a second build is short.
public struct ScratchCopy {
    private let root: URL
    private let tree: URL

    /// - Parameters:
    ///   - root: The repository.
    ///   - tree: The folder of the copy.
    public init(root: URL, tree: URL) {
        self.root = root
        self.tree = tree
    }

    /// Writes the copy.
    /// - Parameter woven: Returns the new texts of files by their paths, also of new files; `read` gives the text of one that is
    ///   there.
    public func write(_ woven: (_ read: (String) -> String?, _ paths: [String]) throws -> [String: String]) throws {
        var files: [String: Data] = [:]
        for path in try Program.output([
            "git", "-C", root.path, "ls-files", "--cached", "--others", "--exclude-standard", "-z",
        ])
        .split(separator: "\0").map(String.init)
        where FileManager.default.fileExists(atPath: root.appending(path: path).path) {
            files[path] = try Data(contentsOf: root.appending(path: path))
        }
        let there = files
        let read = { path in there[path].map { String(decoding: $0, as: UTF8.self) } }
        for (path, text) in try woven(read, there.keys.sorted()) {
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
        // Results are valid as long as all sources are the same; one that nobody noticed, as long as all tests are, too.
        try write(".print", of: files.filter { $0.key.hasPrefix("Sources/") && !$0.key.hasSuffix(".md") })
        try write(".tests", of: files.filter { $0.key.hasPrefix("Tests/") && !$0.key.hasPrefix("Tests/Mutants/") })
    }

    /// Writes the fingerprint of files.
    private func write(_ name: String, of files: [String: Data]) throws {
        let print = files.sorted { $0.key < $1.key }
            .reduce(into: "") { $0 += "\($1.key) \(digest(String(decoding: $1.value, as: UTF8.self)))\n" }
        try String(digest(print), radix: 16).write(to: tree.appending(path: name), atomically: true, encoding: .utf8)
    }
}

/// Runs other programs.
public enum Program {
    /// What went wrong, in a sentence.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) {
            self.description = description
        }
    }

    /// Runs a program to its end; its standard error is this one's.
    public static func run(_ words: [String], environment: [String: String] = [:]) throws -> (
        status: Int32, output: Data
    ) {
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

    /// What a program writes.
    /// - Throws: ``Failure`` if it fails.
    public static func output(_ words: [String]) throws -> String {
        let (status, output) = try run(words)
        guard status == 0 else {
            throw Failure(description: "\(words.joined(separator: " ")) ended with status \(status)")
        }
        return String(decoding: output, as: UTF8.self)
    }
}

/// FNV-1a of a text, the same in every process.
public func digest(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
}
