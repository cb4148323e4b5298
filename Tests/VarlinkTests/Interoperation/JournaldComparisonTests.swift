import NIOCore
import StrictJSON
import TestFixtures
import Testing
import Varlink

/// systemd-journald serves Varlink too: our server treats violations of the protocol as it does.
@Suite(
    "Protocol errors, beside systemd-journald's",
    .disabled(if: PrivateJournal.obstacle != nil, "\(PrivateJournal.obstacle ?? "")"),
    .timeLimit(.minutes(15))
)
struct JournaldComparisonTests {
    /// The reaction to a message: closed without a reply, or answered.
    private enum Fate: Hashable, CustomStringConvertible {
        case closed
        case silent
        case reply(String)

        var description: String {
            switch self {
            case .closed: "closed"
            case .silent: "no reply, goes on"
            case .reply(let text): text
            }
        }
    }

    /// An interface of journald's, which our server implements too.
    private static let interface = """
        interface io.systemd.Journal

        method Synchronize() -> ()

        """
    private static let good = #"{"method":"io.systemd.Journal.Synchronize"}"#

    private static let messages = [
        good,
        #"{"method":"io.systemd.Journal.Synchronize","parameters":{}}"#,
        #"{"method":"io.systemd.Journal.Nothing"}"#,
        #"{"method":"io.systemd.Journal.Synchronize","oneway":true}"#,
        #"{"method":"io.systemd.Journal.Nothing","oneway":true}"#,
        #"{"method":"io.systemd.Journal.Synchronize","more":true,"oneway":true}"#,
        #"{"method":"io.systemd.Journal.Synchronize","more":1}"#,
        #"{"method":"io.systemd.Journal.Synchronize","oneway":"yes"}"#,
        #"{"method":"io.systemd.Journal.Synchronize","parameters":[]}"#,
        #"{"method":"io.systemd.Journal.Synchronize","parameters":7}"#,
        #"{"method":"io.systemd.Journal.Synchronize","unknown":7}"#,
        #"{"method":7}"#,
        #"{"parameters":{}}"#,
        "{}", "[]", "7", "null", "", "{", #"{"method":"io.systemd.Journal.Synchronize"}}"#, "garbage",
        #"{"method":"io.systemd.Journal.Synchronize",}"#,
    ]

    private func fate(of message: String, at path: String) async throws -> Fate {
        let raw = try RawConnection(path: path)
        // A valid call behind it shows whether the connection was closed.
        try await raw.write(message + "␀" + Self.good + "␀")
        raw.closeWriting()
        let replies = try await raw.readToEnd().split(separator: "␀")
        if replies.isEmpty { return .closed }
        if replies.count == 1 { return .silent }
        let reply = try JSONValue(parsing: String(replies[0]))
        return .reply(reply["error"]?.stringValue ?? "success")
    }

    @Test("our server closes the connection when journald does, and answers with the same errors")
    func table() async throws {
        let journal = try PrivateJournal()
        var service = try VarlinkService(interface: Self.interface)
        try service.on("Synchronize") { _, responder in responder.reply() }
        let server = try VarlinkServer(
            services: [service],
            identity: VarlinkIdentity(vendor: "", product: "", version: "", url: "")
        )
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        try await server.listen(path: path)
        var fates: Set<Fate> = []
        var differences: [String: (journald: Fate, ours: Fate)] = [:]
        for message in Self.messages {
            let (theirs, ours) = try await (fate(of: message, at: journal.varlink), fate(of: message, at: path))
            fates.insert(theirs)
            if theirs != ours { differences[message] = (theirs, ours) }
        }
        await server.shutDown(within: .zero)
        let notFound = Fate.reply("org.varlink.service.MethodNotFound")
        #expect(fates == [.closed, .silent, .reply("success"), notFound], "\(fates)")
        #expect(differences.isEmpty, "\(differences)")
    }
}
