import Foundation
import Glibc
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// What a person reads after a mistake: what is wrong, where, and what would be right.
@Suite("What a person reads after a mistake", .timeLimit(.minutes(15)))
struct MistakesTests {
    /// A mistake as somebody makes it.
    struct Mistake: Sendable {
        /// The command line after the program's name, as a shell would take it; `DIR` is the test's folder.
        let line: String
        var input = ""
        /// Which socket `SCENED_SOCKET` names, in the test's folder.
        var socket = "shop.sock"
        let status: Int32
        /// The message, without the lines about the usage.
        let message: String
    }

    /// How many programs run at once.
    private static let width = 4

    @Test("says what is wrong, where, and what would be right")
    func messages() async throws {
        #expect(Self.mistakes.count >= 130)
        let directory = try TemporaryDirectory()
        try Self.write(Self.files, to: directory.path)
        try Self.makeSockets(in: directory.path)
        try await LiveDaemon.run(["--clock", "virtual"]) { shop in
            try await LiveDaemon.run(["--app", "bank"]) { bank in
                for (daemon, name) in [(shop, "shop.sock"), (bank, "bank.sock")] {
                    symlink(daemon.socket, "\(directory.path)/\(name)")
                    _ = try await daemon.client().connect(scene: "A")
                }
                _ = try await shop.client().openURL("https://shop.example/cart", .init(scene: "A", event: "cart-1"))
                try await Self.inParallel(Self.mistakes) { mistake in
                    let found = try await Self.message(of: mistake, in: directory.path)
                    #expect(found.status == mistake.status, "\(mistake.line): \(found.text)")
                    #expect(found.text == mistake.message, "\(mistake.line)")
                    #expect(!found.text.contains(".;"), "a sentence in the middle of another: \(mistake.line)")
                }
            }
        }
    }

    /// Runs the program of a mistake; its status and what it says.
    private static func message(of mistake: Mistake, in directory: String) async throws -> (status: Int32, text: String)
    {
        var words = Self.words(mistake.line.replacing("DIR", with: directory))
        let program = words.first == "scened" ? words.removeFirst() : "scenectl"
        let outcome = try await Program.run(
            Command.built(program),
            words,
            input: mistake.input,
            environment: ["SCENED_SOCKET": "\(directory)/\(mistake.socket)", "SCENED_CONFIG": "/dev/null"]
        )
        guard case .exited(let status) = outcome.status else { return (-1, "\(outcome.status)") }
        // Where it checks a file, the message is its output.
        let text = outcome.errors.isEmpty ? outcome.output : outcome.errors
        return (status, said(text).replacing(directory, with: "DIR"))
    }

    /// The message without what comes with every wrong usage, and of an entry of the daemon's log only the error.
    private static func said(_ text: String) -> String {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("Usage: ") && !$0.hasPrefix("  See '") }
        return lines.map { line in
            guard let start = line.firstRange(of: "cannot start error="), let end = line.firstRange(of: " message-id=")
            else {
                return String(line)
            }
            return String(line[start.upperBound..<end.lowerBound])
        }.joined(separator: "\n")
    }

    private static func inParallel(
        _ mistakes: [Mistake],
        _ body: @escaping @Sendable (Mistake) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, mistake) in mistakes.enumerated() {
                if index >= width { try await group.next() }
                group.addTask { try await body(mistake) }
            }
            try await group.waitForAll()
        }
    }

    /// The words of a line, of which those with spaces are in quotes.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            switch character {
            case quote: quote = nil
            case "'" where quote == nil, "\"" where quote == nil:
                quote = character
                word = word ?? ""
            case " " where quote == nil:
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap { $0 }
    }

    private static func write(_ files: [String: [UInt8]], to directory: String) throws {
        for (name, bytes) in files {
            let file = URL(filePath: "\(directory)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(bytes).write(to: file)
        }
    }

    /// A socket on which nobody listens any more.
    private static func makeSockets(in directory: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array("\(directory)/stale.sock".utf8)) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        close(descriptor)
    }
}
