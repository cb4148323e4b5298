import Foundation
import NIOCore
import StrictJSON
import TestFixtures
import Testing
import Varlink

@Suite("Serving over a socket", .timeLimit(.minutes(15)))
struct VarlinkServerTests {
    private static let hello = #"{"parameters":{"text":"hello"}}␀"#
    private static func echo(_ text: String, _ more: String = "") -> String {
        #"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}\#(more)}␀"#
    }
    private static func echoed(_ text: String) -> String { #"{"parameters":{"text":"\#(text)"}}␀"# }
    private static func hold(_ key: String) -> String {
        #"{"method":"org.example.test.Hold","parameters":{"key":"\#(key)"}}␀"#
    }

    @Test("introspection names and describes every interface")
    func introspects() async throws {
        try await RunningServer.run { running in
            let client = try await VarlinkClient.connect(path: running.path)
            let info = try await client.call("org.varlink.service.GetInfo")
            #expect(
                JSONValue.object(info) == [
                    "vendor": "V", "product": "P", "version": "1", "url": "https://example.org",
                    "interfaces": ["org.varlink.service", "org.example.test"],
                ]
            )
            let reply = try await client.call(
                "org.varlink.service.GetInterfaceDescription",
                ["interface": "org.example.test"]
            )
            #expect(reply["description"] == .string(ExampleService.source))
            let own = try await client.interface("org.varlink.service")
            #expect(own.methodNames == ["GetInfo", "GetInterfaceDescription"])
            #expect(own.error("ExpectedMore") == [])
        }
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let call: String
        let error: VarlinkError
        var testDescription: String { call }
    }

    @Test(
        "a call that cannot be made answers the error that says why",
        arguments: [
            Refusal(call: #"{"method":"NoDot"}"#, error: .interfaceNotFound("NoDot")),
            Refusal(call: #"{"method":""}"#, error: .interfaceNotFound("")),
            Refusal(call: #"{"method":"org.example.none.Echo"}"#, error: .interfaceNotFound("org.example.none")),
            Refusal(call: #"{"method":"org.example.test.Non"}"#, error: .methodNotFound("org.example.test.Non")),
            Refusal(call: #"{"method":"org.example.test.Point"}"#, error: .methodNotFound("org.example.test.Point")),
            Refusal(
                call: #"{"method":"org.example.test.Nobody"}"#,
                error: .methodNotImplemented("org.example.test.Nobody")
            ),
            Refusal(call: #"{"method":"org.example.test.Stream"}"#, error: .expectedMore),
            Refusal(call: #"{"method":"org.example.test.Echo"}"#, error: .invalidParameter("text")),
            Refusal(call: #"{"method":"org.example.test.Echo","parameters":null}"#, error: .invalidParameter("text")),
            Refusal(call: #"{"method":"org.example.test.Echo","parameters":{}}"#, error: .invalidParameter("text")),
            Refusal(
                call: #"{"method":"org.example.test.Echo","parameters":{"text":7}}"#,
                error: .invalidParameter("text")
            ),
            Refusal(
                call: #"{"method":"org.example.test.Echo","parameters":{"text":null}}"#,
                error: .invalidParameter("text")
            ),
            Refusal(
                call: #"{"method":"org.example.test.Echo","parameters":{"text":"a","txet":1}}"#,
                error: .invalidParameter("txet")
            ),
            Refusal(
                call: #"{"method":"org.example.test.Echo","parameters":{"text":"a","number":1.5}}"#,
                error: .invalidParameter("number")
            ),
            Refusal(
                call: #"{"method":"org.example.test.Echo","parameters":{"text":"a","points":[{"x":1,"y":2},{"x":1}]}}"#,
                error: .invalidParameter("points[1].y")
            ),
            Refusal(
                call: #"{"method":"org.varlink.service.GetInterfaceDescription"}"#,
                error: .invalidParameter("interface")
            ),
            Refusal(
                call: #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a.b"}}"#,
                error: .interfaceNotFound("a.b")
            ),
            Refusal(
                call: #"{"method":"org.example.test.Fail"}"#,
                error: VarlinkError("org.example.test.Failed", ["reason": "on purpose"])
            ),
        ]
    )
    func refuses(refusal: Refusal) async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(refusal.call + "␀" + Self.echo("after"))
            let expected = VarlinkReply(parameters: refusal.error.parameters, error: refusal.error.name).encoded()
            let replies = try await raw.read(messages: 2)
            #expect(replies == String(decoding: expected.dropLast(), as: UTF8.self) + "␀" + Self.echoed("after"))
        }
    }

    @Test(
        "what the protocol forbids closes the connection without a reply, after the replies to calls before",
        arguments: [
            ("␀", VarlinkViolation.emptyMessage),
            ("[]␀", .notAnObject(found: "array")),
            ("{}␀", .missingMethod),
            (#"{"method":7}␀"#, .wrongType(member: "method", expected: "a string", found: "integer")),
            (
                #"{"method":"a.B","parameters":[]}␀"#,
                .wrongType(member: "parameters", expected: "an object", found: "array")
            ),
            (#"{"method":"a.B","more":1}␀"#, .wrongType(member: "more", expected: "a boolean", found: "integer")),
            (#"{"method":"a.B","oneway":null}␀"#, .wrongType(member: "oneway", expected: "a boolean", found: "null")),
            (#"{"method":"a.B","upgrade":""}␀"#, .wrongType(member: "upgrade", expected: "a boolean", found: "string")),
            (#"{"method":"a.B","more":true,"oneway":true}␀"#, .moreWithOneway),
            (#"{"method":"a.B","extra":true}␀"#, .unknownMember("extra")),
        ]
    )
    func closes(message: String, violation: VarlinkViolation) async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(Self.echo("before") + message + Self.echo("after"))
            #expect(try await raw.readToEnd() == Self.echoed("before"))
            #expect(running.incidents == [.violation(violation)])
            #expect(running.example.log == ["echo before"])
            let next = try RawConnection(path: running.path)
            try await next.write(Self.echo("next"))
            #expect(try await next.read(messages: 1) == Self.echoed("next"))
        }
    }

    @Test("garbage, a byte order mark and bytes that are no UTF-8 close the connection")
    func closesOnGarbage() async throws {
        try await RunningServer.run { running in
            for garbage: [UInt8] in [
                [0xFF, 0xFE, 0x00], [0xEF, 0xBB, 0xBF] + #"{"method":"a.B"}"#.utf8 + [0],
                Array("GET / HTTP/1.1\r\n\r\n\0".utf8),
                Array(#"{"method":""#.utf8) + [0xC0, 0x80] + Array("\"}\0".utf8),
            ] {
                let raw = try RawConnection(path: running.path)
                try await raw.write(bytes: garbage)
                #expect(try await raw.readToEnd() == "")
            }
            #expect(running.incidents.count == 4)
        }
    }

    @Test("a vendor's members, with a dot in their names, are ignored")
    func ignoresExtensions() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(Self.echo("hello", #","com.example.trace":{"id":1}"#))
            #expect(try await raw.read(messages: 1) == Self.hello)
        }
    }

    @Test("messages are found however the bytes arrive")
    func takesSingleBytes() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            for byte in (Self.echo("a") + Self.echo("é")).utf8Bytes { try await raw.write(bytes: [byte]) }
            #expect(try await raw.read(messages: 2) == Self.echoed("a") + Self.echoed("é"))
        }
    }

    @Test("a message nested 64 deep is read, one deeper closes")
    func limitsNesting() async throws {
        try await RunningServer.run { running in
            func call(depth: Int) -> String {
                let nested = String(repeating: "[", count: depth - 2) + String(repeating: "]", count: depth - 2)
                return #"{"method":"org.example.test.Echo","parameters":{"text":\#(nested)}}␀"#
            }
            let raw = try RawConnection(path: running.path)
            try await raw.write(call(depth: 64))
            #expect(try await raw.read(messages: 1).contains("InvalidParameter"))
            try await raw.write(call(depth: 65))
            #expect(try await raw.readToEnd() == "")
        }
    }

    @Test("a message of exactly the limit is read, one byte more closes, with or without its NUL")
    func limitsLength() async throws {
        var limits = VarlinkServerLimits()
        limits.message.bytes = 1000
        try await RunningServer.run(limits: limits) { running in
            let frame = Self.echo("").utf8Bytes.count - 1
            let raw = try RawConnection(path: running.path)
            try await raw.write(Self.echo(String(repeating: "x", count: 1000 - frame)))
            #expect(try await raw.read(messages: 1).count > 900)
            try await raw.write(Self.echo(String(repeating: "x", count: 1001 - frame)))
            #expect(try await raw.readToEnd() == "")
            let other = try RawConnection(path: running.path)
            try await other.write(String(repeating: "x", count: 1001))
            #expect(try await other.readToEnd() == "")
            #expect(running.incidents == Array(repeating: .violation(.messageTooLong(limit: 1000)), count: 2))
        }
    }

    @Test("2 MiB without a NUL close the connection, and others notice nothing")
    func refusesEndlessMessage() async throws {
        try await RunningServer.run { running in
            let other = try RawConnection(path: running.path)
            let raw = try RawConnection(path: running.path)
            // The server closes in the middle of it, so that writing may fail.
            _ = try? await raw.write(bytes: [UInt8](repeating: 0x20, count: 2 << 20))
            #expect(try await raw.readToEnd() == "")
            #expect(running.incidents == [.violation(.messageTooLong(limit: 1 << 20))])
            try await other.write(Self.echo("hello"))
            #expect(try await other.read(messages: 1) == Self.hello)
        }
    }

    @Test("a call starts only after the reply to the one before, and replies come in call order")
    func keepsOrder() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(Self.hold("first") + Self.hold("second") + Self.echo("third"))
            await running.example.wait(for: "hold first")
            let first = try #require(running.example.takeHeld())
            #expect(running.example.takeHeld() == nil)
            #expect(running.example.log == ["hold first"])
            #expect(first.request.number == 1)
            first.responder.reply(["text": "1"])
            #expect(first.responder.reply(["text": "again"]) == .dropped)
            #expect(try await raw.read(messages: 1) == Self.echoed("1"))
            await running.example.wait(for: "hold second")
            let second = try #require(running.example.takeHeld())
            #expect(second.request.number == 2)
            #expect(second.request.connection.id == first.request.connection.id)
            second.responder.reply(["text": "2"])
            #expect(try await raw.read(messages: 2) == Self.echoed("2") + Self.echoed("third"))
            #expect(running.example.log == ["hold first", "hold second", "echo third"])
        }
    }

    @Test("a oneway call gets no reply, not even an error, and those after it do not wait")
    func answersOnewayWithNothing() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            let oneway = #","oneway":true"#
            try await raw.write(
                Self.echo("a", oneway) + #"{"method":"a.b.C"\#(oneway)}␀"#
                    + #"{"method":"org.example.test.Echo"\#(oneway)}␀"#
                    + #"{"method":"org.example.test.Forget"\#(oneway)}␀"#
                    + #"{"method":"org.example.test.Fail"\#(oneway)}␀"#
                    + #"{"method":"org.varlink.service.GetInfo"\#(oneway)}␀"#
                    + Self.hold("b").replacing("}}␀", with: "}\(oneway)}␀") + Self.echo("hello")
            )
            #expect(try await raw.read(messages: 1) == Self.hello)
            #expect(running.example.log == ["echo a", "hold b", "echo hello"])
            let held = try #require(running.example.takeHeld())
            #expect(held.responder.reply(["text": "late"]) == .dropped)
            raw.closeWriting()
            #expect(try await raw.readToEnd() == "")
            #expect(running.incidents.isEmpty)
        }
    }

    /// How a call that holds its connection may end.
    enum Ending: CaseIterable {
        case reply, fail, abandon, drop
    }

    @Test(
        "a oneway call may hold its connection until it is answered or nobody will answer it",
        arguments: Ending.allCases
    )
    func holdsConnection(ending: Ending) async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            let keep = #"{"method":"org.example.test.Keep","parameters":{"key":"k"},"oneway":true}␀"#
            try await raw.write(keep + Self.echo("hello"))
            await running.example.wait(for: "keep k")
            // Another connection goes on meanwhile; whatever this one could have started has started by then.
            let other = try RawConnection(path: running.path)
            try await other.write(Self.echo("hello"))
            #expect(try await other.read(messages: 1) == Self.hello)
            #expect(running.example.log == ["before 1", "keep k", "echo hello"])
            var held = running.example.takeHeld()
            switch ending {
            case .reply: held?.responder.reply()
            case .fail: held?.responder.fail(VarlinkError("org.example.test.Failed", ["reason": "on purpose"]))
            case .abandon: held?.responder.abandon()
            case .drop: break
            }
            held = nil
            #expect(try await raw.read(messages: 1) == Self.hello, "the next call's answer, and none before")
            let told: [String] =
                switch ending {
                case .reply: ["answered k well"]
                case .fail: ["answered k org.example.test.Failed"]
                case .abandon, .drop: []
                }
            #expect(running.example.log == ["before 1", "keep k", "echo hello"] + told + ["echo hello"])
            #expect(running.incidents.isEmpty)
        }
    }

    @Test("a connection that is held when its client leaves, or the server stops, is let go")
    func letsGoOfHeldConnections() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            let keep = #"{"method":"org.example.test.Keep","parameters":{"key":"k"},"oneway":true}␀"#
            try await raw.write(keep + keep)
            raw.closeWriting()
            await running.example.wait(for: "keep k")
            running.example.takeHeld()?.responder.reply()
            await running.example.wait(for: "before 2")
            let second = try await running.example.nextHeld()
            let stopping = Task { await running.server.shutDown(within: .seconds(10)) }
            second.responder.reply()
            await stopping.value
            #expect(try await raw.readToEnd() == "")
        }
    }

    @Test("after a half-close everything read is answered, what is cut short is not, then the server closes")
    func answersAfterHalfClose() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(Self.hold("a") + Self.echo("b") + #"{"method":"org.exa"#)
            raw.closeWriting()
            await running.example.wait(for: "hold a")
            try #require(running.example.takeHeld()).responder.reply(["text": "a"])
            #expect(try await raw.readToEnd() == Self.echoed("a") + Self.echoed("b"))
            #expect(running.incidents.isEmpty)
        }
    }

    @Test("a oneway call is executed although its sender closes at once")
    func executesOnewayBeforeClose() async throws {
        try await RunningServer.run { running in
            for index in 0..<20 {
                let raw = try RawConnection(path: running.path)
                try await raw.write(Self.echo("\(index)", #","oneway":true"#))
                raw.closeBoth()
            }
            for index in 0..<20 { await running.example.wait(for: "echo \(index)") }
        }
    }

    @Test("closing ends the call that waits, and the next one does not start", arguments: [true, false])
    func endsOnClose(afterHalfClose: Bool) async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(Self.hold("a") + Self.echo("b"))
            await running.example.wait(for: "hold a")
            if afterHalfClose { raw.closeWriting() }
            raw.closeBoth()
            await running.example.wait(for: "closed a")
            let held = try #require(running.example.takeHeld())
            #expect(held.responder.reply(["text": "a"]) == .dropped)
            #expect(running.example.log == ["hold a", "closed a"])
        }
    }

    @Test("an onClose that comes after the end is called at once, one of an answered call never")
    func callsOnCloseLate() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(Self.hold("a"))
            await running.example.wait(for: "hold a")
            raw.closeBoth()
            await running.example.wait(for: "closed a")
            try #require(running.example.takeHeld()).responder.onClose { running.example.note("late") }
            await running.example.wait(for: "late")

            let other = try RawConnection(path: running.path)
            try await other.write(Self.hold("b"))
            await running.example.wait(for: "hold b")
            let held = try #require(running.example.takeHeld())
            held.responder.reply(["text": "b"])
            #expect(try await other.read(messages: 1) == Self.echoed("b"))
            other.closeWriting()
            #expect(try await other.readToEnd() == "")
            #expect(!running.example.log.contains("closed b"))
        }
    }

    @Test("a responder that is dropped closes the connection, so that nobody waits for ever")
    func closesWhenForgotten() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(Self.echo("hello") + #"{"method":"org.example.test.Forget"}␀"# + Self.echo("never"))
            #expect(try await raw.readToEnd() == Self.hello)
            #expect(
                running.incidents == [.defect(method: "org.example.test.Forget", reason: "it gave no answer")]
            )
        }
    }

    @Test("a reply or an error that does not fit the interface is a defect, when replies are checked")
    func checksReplies() async throws {
        try await RunningServer.run { running in
            for method in ["Lie", "LieFail"] {
                let raw = try RawConnection(path: running.path)
                try await raw.write(#"{"method":"org.example.test.\#(method)"}␀"#)
                #expect(try await raw.readToEnd() == "")
            }
            #expect(
                running.incidents == [
                    .defect(
                        method: "org.example.test.Lie",
                        reason: "its reply has a missing, unknown or ill-typed 'value'"
                    ),
                    .defect(
                        method: "org.example.test.LieFail",
                        reason:
                            "the error 'org.example.test.Failed' has a missing, unknown or ill-typed 'reason'"
                    ),
                ]
            )
        }
        try await RunningServer.run(checksReplies: false) { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(#"{"method":"org.example.test.Lie"}␀"#)
            #expect(try await raw.read(messages: 1) == #"{"parameters":{"value":"seven"}}␀"#)
        }
    }

    @Test("the peer's credentials decide who may call what")
    func authorizes() async throws {
        let me = getuid()
        let group = getgid()
        try await RunningServer.run(authorize: { peer, method in
            peer.userID == me && peer.groupID == group && peer.processID == getpid() && method.hasSuffix(".Echo")
        }) { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(#"{"method":"org.example.test.Fail"}␀"# + Self.echo("hello"))
            #expect(
                try await raw.read(messages: 2)
                    == #"{"error":"org.varlink.service.PermissionDenied","parameters":{}}␀"# + Self.hello
            )
            #expect(running.incidents == [.denied(method: "org.example.test.Fail")])
        }
    }
}
