import Basics
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct ShellWordTests {
    /// What a shell makes of one line of words: each argument, ended by a NUL.
    private static func arguments(of line: String) throws -> [String] {
        let shell = Process()
        let output = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "printf '%s\\0' \(line)"]
        shell.standardOutput = output
        try shell.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test("a shell reads each text back as one word, byte by byte, whatever marks follow a quote")
    func words() throws {
        let pieces = [
            "'", "'\u{301}", "\"", "\\", "$(id)", "`id`", " ", "\n", "\r\n", ";", "&", "é", "e\u{301}", "~", "*", "a",
            "=", "-", "\u{200D}", "👩‍👩‍👧",
        ]
        var numbers = SplitMix(seed: 7)
        var texts = pieces + [""]
        for _ in 0..<400 {
            texts.append(
                (0..<Int.random(in: 1...6, using: &numbers)).map { _ in pieces.randomElement(using: &numbers) ?? "" }
                    .joined()
            )
        }
        let read = try Self.arguments(of: texts.map(\.shellWord).joined(separator: " "))
        #expect(read.count == texts.count)
        for (text, word) in zip(texts, read) { #expect(text.hasSameBytes(as: word), "\(text.debugDescription)") }
    }

    @Test("what no shell interprets has no quotes", arguments: ["openurl", "a=b,c.d-e_f@g+h/i"])
    func plain(text: String) { #expect(text.shellWord == text) }
}
