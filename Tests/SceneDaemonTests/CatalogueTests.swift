import Foundation
import Systemd
import Testing

@testable import SceneDaemon

@Suite("The message catalogue")
struct CatalogueTests {
    private static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The entries by ID, each with its lines.
    private func entries() throws -> [String: [String]] {
        let text = try String(
            contentsOf: Self.repository.appending(path: "systemd/scened.catalog"),
            encoding: .utf8
        )
        var entries: [String: [String]] = [:]
        var id = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("-- ") {
                id = String(line.dropFirst(3))
                #expect(entries[id] == nil, "\(id) appears twice")
                entries[id] = []
            } else if !id.isEmpty {
                entries[id]?.append(line)
            }
        }
        return entries
    }

    @Test("has an entry for every message, and a message for every entry")
    func setsAreEqual() throws {
        let messages = DaemonMessage.allCases.map(\.rawValue) + [JournalMessageID.gap.text]
        #expect(Set(messages) == Set(try entries().keys))
        #expect(messages.count == Set(messages).count)
        for message in messages { #expect(try JournalMessageID(message).text == message) }
    }

    @Test("has a subject and a text in every entry")
    func entriesAreWhole() throws {
        for (id, lines) in try entries() {
            #expect(lines.contains { $0.hasPrefix("Subject: ") }, "\(id)")
            #expect(lines.contains("Defined-By: scened"), "\(id)")
            #expect(lines.drop { !$0.isEmpty }.contains { !$0.isEmpty }, "\(id) has no text")
            #expect(lines.allSatisfy { $0.count <= 84 }, "\(id) is too wide for a terminal")
        }
    }

    @Test("the daemon logs only messages that are in it")
    func nothingBypassesIt() throws {
        let sources = Self.repository.appending(path: "Sources/SceneDaemon")
        let files = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
        #expect(files.count > 20)
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            let calls = text.matches(of: /logger\.(trace|debug|info|notice|warning|error|critical)\(/)
            #expect(calls.isEmpty, "\(file) logs without the catalogue")
        }
    }
}
