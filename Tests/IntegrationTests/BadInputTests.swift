import SceneClient
import StrictJSON
import TestFixtures
import Testing
import Varlink

@Suite("Bad input to the live daemon", .timeLimit(.minutes(15)))
struct BadInputTests {
    /// Bytes with a name to show, because there may be millions of them.
    struct Message: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
    }

    /// Messages after which the daemon closes the connection without an answer. `␀` stands for a NUL.
    static let closing = messages.map { Message(testDescription: $0.name, bytes: $0.bytes) }

    private static let messages: [(name: String, bytes: [UInt8])] = [
        ("garbage bytes", [0xFF, 0xFE, 0x80, 0x01, 0x00]), ("text that is no JSON", "GET / HTTP/1.1␀".utf8Bytes),
        ("an empty message", "␀".utf8Bytes), ("an array", "[]␀".utf8Bytes), ("a string", #""GetInfo"␀"#.utf8Bytes),
        ("no method", "{}␀".utf8Bytes), ("a method that is a number", #"{"method":5}␀"#.utf8Bytes),
        ("parameters in an array", #"{"method":"org.varlink.service.GetInfo","parameters":[]}␀"#.utf8Bytes),
        ("a flag that is a number", #"{"method":"org.varlink.service.GetInfo","more":1}␀"#.utf8Bytes),
        ("more with oneway", #"{"method":"org.varlink.service.GetInfo","more":true,"oneway":true}␀"#.utf8Bytes),
        ("an unknown member", #"{"method":"org.varlink.service.GetInfo","id":1}␀"#.utf8Bytes),
        ("a member twice", #"{"method":"org.varlink.service.GetInfo","method":"a.b.C"}␀"#.utf8Bytes),
        ("a lone surrogate", #"{"method":"org.varlink.service.GetInfo\ud800"}␀"#.utf8Bytes),
        ("a trailing comma", #"{"method":"org.varlink.service.GetInfo",}␀"#.utf8Bytes),
        (
            "nesting beyond 64",
            (#"{"method":"io.scened.Events.Push","parameters":{"payload":"# + String(repeating: #"{"a":"#, count: 63)
                + "1" + String(repeating: "}", count: 63) + "}}␀").utf8Bytes
        ),
        ("brackets without end", (String(repeating: "[", count: 500_000) + "␀").utf8Bytes),
        ("2 MiB without a NUL", [UInt8](repeating: UInt8(ascii: "a"), count: 2 << 20)),
        (
            "a call of 2 MiB",
            (#"{"method":"io.scened.Events.OpenURL","parameters":{"url":""# + String(repeating: "a", count: 2 << 20)
                + #""}}␀"#).utf8Bytes
        ),
    ]

    @Test("closes the connection, and the next client notices nothing", arguments: closing)
    func closes(message: Message) async throws {
        try await LiveDaemon.run(["--log-level", "critical"]) { daemon in
            let raw = try RawConnection(path: daemon.socket)
            // The daemon may close before it has read everything.
            try? await raw.write(bytes: message.bytes)
            #expect(try await raw.readToEnd() == "")
            try await daemon.expectService()
        }
    }

    /// Messages that break the protocol, and what the log says of each.
    static let reasons = [
        ("a lone surrogate", "a surrogate must come in a pair"), ("garbage bytes", "the message is not JSON"),
        ("2 MiB without a NUL", "the message is longer than 1048576 bytes"),
        ("a call of 2 MiB", "the message is longer than 1048576 bytes"),
        ("no method", "the call has no member 'method'"),
    ]

    @Test("the log says why a connection was closed without an answer", arguments: reasons)
    func logs(name: String, reason: String) async throws {
        try await LiveDaemon.run { daemon in
            let raw = try RawConnection(path: daemon.socket)
            let message = try #require(Self.messages.first { $0.name == name })
            try? await raw.write(bytes: message.bytes)
            #expect(try await raw.readToEnd() == "")
            try await until("it is logged") {
                let log = daemon.readLog()
                return log.contains(reason) && log.contains("a client was cut off")
            }
        }
    }

    @Test("a message cut off in the middle is not a call, however the client leaves")
    func cut() async throws {
        try await LiveDaemon.run { daemon in
            let call = #"{"method":"io.scened.Scenes.Connect","parameters":{"scene":"cut"}}"#
            for end in 1...call.utf8.count {
                let raw = try RawConnection(path: daemon.socket)
                try await raw.write(bytes: Array(call.utf8.prefix(end)))
                if end.isMultiple(of: 2) {
                    raw.closeWriting()
                    #expect(try await raw.readToEnd() == "")
                } else {
                    raw.closeBoth()
                }
            }
            try await daemon.expectService()
            #expect(try await daemon.client().scenes().map(\.id) == ["scene-1"])
        }
    }

    @Test("what was complete before a broken message is answered")
    func answersWhatWasComplete() async throws {
        try await LiveDaemon.run(["--log-level", "critical"]) { daemon in
            let raw = try RawConnection(path: daemon.socket)
            try await raw.write(#"{"method":"io.scened.Scenes.List"}␀{"method":"io.scened.Scenes.List"␀"#)
            #expect(try await raw.readToEnd() == #"{"parameters":{"scenes":[],"next":0}}␀"#)
            try await daemon.expectService()
        }
    }

    private static let excluding = #"{"/":"/help/*","exclude":true,"comment":"Help stays in the browser"}"#

    /// Calls that are answered with an error and do not close the connection.
    static let refused: [(call: String, error: String, parameters: JSONObject)] = [
        ("io.nowhere.Get", "org.varlink.service.InterfaceNotFound", ["interface": "io.nowhere"]),
        ("Get", "org.varlink.service.InterfaceNotFound", ["interface": "Get"]),
        (
            "io.scened.Events.OpenUrl", "org.varlink.service.MethodNotFound", ["method": "io.scened.Events.OpenUrl"]
        ),
        (
            #"org.varlink.service.GetInterfaceDescription {"interface":"io.nowhere"}"#,
            "org.varlink.service.InterfaceNotFound", ["interface": "io.nowhere"]
        ),
        ("io.scened.Events.OpenURL", "org.varlink.service.InvalidParameter", ["parameter": "url"]),
        (#"io.scened.Events.OpenURL {"url":5}"#, "org.varlink.service.InvalidParameter", ["parameter": "url"]),
        (#"io.scened.Events.OpenURL {"url":null}"#, "org.varlink.service.InvalidParameter", ["parameter": "url"]),
        (
            #"io.scened.Events.OpenURL {"url":"qcommerce://home","window":"A"}"#,
            "org.varlink.service.InvalidParameter", ["parameter": "window"]
        ),
        (
            #"io.scened.Events.OpenURL {"url":"qcommerce://home","wait":"forever"}"#,
            "org.varlink.service.InvalidParameter", ["parameter": "wait"]
        ),
        (
            #"io.scened.Events.OpenURL {"url":"qcommerce://home","event":""}"#,
            "org.varlink.service.InvalidParameter", ["parameter": "event"]
        ),
        (
            #"io.scened.Events.OpenURL {"url":"qcommerce://home","event":"\#(String(repeating: "e", count: 129))"}"#,
            "org.varlink.service.InvalidParameter", ["parameter": "event"]
        ),
        (#"io.scened.Events.Push {"payload":"{}"}"#, "org.varlink.service.InvalidParameter", ["parameter": "payload"]),
        (
            #"io.scened.Events.Push {"payload":{"aps":{}},"interaction":"shake"}"#,
            "org.varlink.service.InvalidParameter", ["parameter": "interaction"]
        ),
        (
            #"io.scened.Events.ContinueActivity {"activityType":"x","userInfo":[1]}"#,
            "org.varlink.service.InvalidParameter", ["parameter": "userInfo"]
        ),
        (#"io.scened.Scenes.Get {"scene":["A"]}"#, "org.varlink.service.InvalidParameter", ["parameter": "scene"]),
        (#"io.scened.Scenes.Connect {"scene":"a b"}"#, "org.varlink.service.InvalidParameter", ["parameter": "scene"]),
        (#"io.scened.Session.SignIn {"user":""}"#, "org.varlink.service.InvalidParameter", ["parameter": "user"]),
        (
            #"io.scened.Session.SignIn {"user":"a","expiresInMilliseconds":0}"#,
            "org.varlink.service.InvalidParameter", ["parameter": "expiresInMilliseconds"]
        ),
        (
            #"io.scened.Session.SignIn {"user":"a","staleInMilliseconds":-1}"#,
            "org.varlink.service.InvalidParameter", ["parameter": "staleInMilliseconds"]
        ),
        (
            #"io.scened.Session.Commit {"remove":[1]}"#, "org.varlink.service.InvalidParameter",
            ["parameter": "remove[0]"]
        ),
        (#"io.scened.Records.Read {"limit":0}"#, "org.varlink.service.InvalidParameter", ["parameter": "limit"]),
        (#"io.scened.Records.Read {"limit":10001}"#, "org.varlink.service.InvalidParameter", ["parameter": "limit"]),
        (#"io.scened.Records.Read {"after":-1}"#, "org.varlink.service.InvalidParameter", ["parameter": "after"]),
        (#"io.scened.Records.Read {"after":1.5}"#, "org.varlink.service.InvalidParameter", ["parameter": "after"]),
        (
            #"io.scened.Events.OpenURL {"url":"qcommerce://nowhere"}"#, "io.scened.Events.UnknownRoute",
            ["url": "qcommerce://nowhere"]
        ),
        (
            #"io.scened.Events.OpenURL {"url":"qcommerce://home","scene":"nowhere"}"#,
            "io.scened.Events.UnknownScene", ["scene": "nowhere"]
        ),
        (#"io.scened.Scenes.Get {"scene":"nowhere"}"#, "io.scened.Scenes.UnknownScene", ["scene": "nowhere"]),
        (
            #"io.scened.Session.SignOut {"scene":"nowhere"}"#, "io.scened.Session.UnknownScene", ["scene": "nowhere"]
        ),
        (#"io.scened.Events.Get {"event":"nothing"}"#, "io.scened.Events.UnknownEvent", ["event": "nothing"]),
        (
            #"io.scened.Events.OpenURL {"url":"https://shop.example/help/returns"}"#, "io.scened.Events.NotAssociated",
            ["url": "https://shop.example/help/returns", "component": .string(excluding)]
        ),
        (
            #"io.scened.Events.OpenURL {"url":"https://elsewhere.example/cart"}"#, "io.scened.Events.NotAssociated",
            ["url": "https://elsewhere.example/cart", "component": ""]
        ),
    ]

    @Test("is refused by name, and the connection and the next client go on", arguments: refused)
    func refuses(call: String, error: String, parameters: JSONObject) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            let space = call.firstIndex(of: " ") ?? call.endIndex
            let arguments = try JSONValue(parsing: space == call.endIndex ? "{}" : String(call[space...]))
            let refusal = try await client.refusal(String(call[..<space]), try #require(arguments.objectValue))
            #expect(refusal?.name == error)
            var found = refusal?.parameters
            // It is checked elsewhere what it says.
            found?["reason"] = nil
            #expect(found == parameters)
            #expect(
                try await client.call("io.scened.Scenes.List") == ["scenes": [], "next": 0],
                "refused, so nothing was done"
            )
            try await daemon.expectService()
        }
    }

    /// Events whose refusal describes the problem; the description has to name the member.
    static let explained: [(method: String, parameters: JSONObject, error: String, words: [String])] = [
        (
            "OpenURL", ["url": "https://shop.example/product/1004"], "ValidationFailed", ["id", "1004", "p[0-9]{1,9}"]
        ), ("OpenURL", ["url": "qcommerce://product/p12345678901"], "ValidationFailed", ["id", "p[0-9]{1,9}"]),
        ("OpenURL", ["url": "product/p1"], "Malformed", ["product/p1"]), ("OpenURL", ["url": ""], "Malformed", ["url"]),
        (
            "OpenURL", ["url": .string("qcommerce://home?q=" + String(repeating: "x", count: 9000))], "Malformed",
            ["8192"]
        ), ("OpenURL", ["url": "qcommerce://product/%zz"], "Malformed", ["percent escape", "path"]),
        ("ContinueActivity", ["activityType": "com.example.other"], "NoAdapter", ["activity"]),
        ("TapWidget", ["kind": "clock"], "NoAdapter", ["widget"]),
        ("PerformShortcut", ["type": "com.example.shop.none"], "NoAdapter", ["shortcut"]),
        ("Push", ["payload": ["aps": "alert"]], "Malformed", ["aps", "object", "string"]),
        (
            "Push",
            ["payload": ["aps": ["alert": "x"], "Simulator Target Bundle": "com.example.other"]], "Malformed",
            ["Simulator Target Bundle", "com.example.shop", "com.example.other"]
        ),
        (
            "TapWidget", ["kind": "order-status", "userInfo": ["order": "7"]], "ValidationFailed",
            ["id", "o[0-9]{1,9}"]
        ),
        (
            "ContinueActivity",
            [
                "activityType": "com.example.shop.view",
                "userInfo": ["destination": "nowhere"],
            ], "ValidationFailed", ["destination", "nowhere"]
        ),
    ]

    @Test("is explained, gets no ticket, and its event ID is free again", arguments: explained)
    func explains(method: String, parameters: JSONObject, error: String, words: [String]) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            var parameters = parameters
            parameters["event"] = "mine"
            let refusal = try await client.refusal("io.scened.Events.\(method)", parameters)
            #expect(refusal?.name == "io.scened.Events.\(error)")
            let text = JSONValue.object(refusal?.parameters ?? [:]).text()
            for word in words { #expect(text.contains(word)) }
            let receipt = try await client.send("OpenURL", ["url": "qcommerce://home", "event": "mine"])
            #expect(receipt["ticket"] == 1)
            #expect(receipt["duplicate"] == false)
        }
    }

    @Test("a method that does not stream answers a call with 'more' once")
    func moreWhereNothingStreams() async throws {
        try await LiveDaemon.run { daemon in
            let raw = try RawConnection(path: daemon.socket)
            try await raw.write(
                #"{"method":"io.scened.Scenes.Get","parameters":{"scene":"A"},"more":true}␀"#
                    + #"{"method":"io.scened.Events.OpenURL","parameters":{"url":"qcommerce://nowhere"},"more":true}␀"#
                    + #"{"method":"io.scened.Scenes.Connect","parameters":{"scene":"A"},"more":true}␀"#
            )
            let replies = try await raw.read(messages: 3)
            #expect(replies.contains(#""error":"io.scened.Scenes.UnknownScene""#))
            #expect(replies.contains(#""error":"io.scened.Events.UnknownRoute""#))
            #expect(replies.contains(#""id":"A""#))
            #expect(!replies.contains("continues"))
            raw.closeWriting()
            #expect(try await raw.readToEnd() == "", "each call has one reply")
        }
    }

    @Test("members with a dot are extensions and are ignored")
    func extensions() async throws {
        try await LiveDaemon.run { daemon in
            let raw = try RawConnection(path: daemon.socket)
            try await raw.write(#"{"method":"io.scened.Scenes.List","com.example.trace":[1]}␀"#)
            #expect(try await raw.read(messages: 1) == #"{"parameters":{"scenes":[],"next":0}}␀"#)
        }
    }
}
