import Foundation
import NIOCore
import StrictJSON
import TestFixtures
import Testing
import Varlink

@Suite("Serving over a socket", .timeLimit(.minutes(15)))
struct VarlinkServerTests {
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

    private static let missing = VarlinkError.invalidParameter("text", reason: "is missing; expected a string")

    struct Refusal: CustomTestStringConvertible, Sendable {
        let call: String
        let error: VarlinkError
        var testDescription: String { call }
    }

    @Test(
        "a call that cannot be made is answered with an error that says why",
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
            Refusal(call: #"{"method":"org.example.test.Echo"}"#, error: missing),
            Refusal(call: #"{"method":"org.example.test.Echo","parameters":null}"#, error: missing),
            Refusal(call: #"{"method":"org.example.test.Echo","parameters":{}}"#, error: missing),
            Refusal(
                call: #"{"method":"org.example.test.Echo","parameters":{"text":7}}"#,
                error: .invalidParameter("text", reason: "expected a string, found integer")
            ),
            Refusal(
                call: #"{"method":"org.example.test.Echo","parameters":{"text":null}}"#,
                error: missing
            ),
            Refusal(
                call: #"{"method":"org.example.test.Echo","parameters":{"text":"a","txet":1}}"#,
                error: .invalidParameter("txet", reason: "is not known here; expected one of text, number, points")
            ),
            Refusal(
                call: #"{"method":"org.example.test.Echo","parameters":{"text":"a","number":1.5}}"#,
                error: .invalidParameter("number", reason: "expected an integer, found number")
            ),
            Refusal(
                call: #"{"method":"org.example.test.Echo","parameters":{"text":"a","points":[{"x":1,"y":2},{"x":1}]}}"#,
                error: .invalidParameter("points[1].y", reason: "is missing; expected an integer")
            ),
            Refusal(
                call: #"{"method":"org.varlink.service.GetInterfaceDescription"}"#,
                error: .invalidParameter("interface", reason: "is missing; expected a string")
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
            try await raw.write(refusal.call + "␀" + ExampleCalls.echo("after"))
            let expected = VarlinkReply(parameters: refusal.error.parameters, error: refusal.error.name).encoded()
            let replies = try await raw.read(messages: 2)
            #expect(
                replies == String(decoding: expected.dropLast(), as: UTF8.self) + "␀" + ExampleCalls.echoed("after")
            )
        }
    }

    @Test("a call starts only after the reply to the previous one, and replies come in the order of the calls")
    func keepsOrder() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(ExampleCalls.hold("first") + ExampleCalls.hold("second") + ExampleCalls.echo("third"))
            await running.example.wait(for: "hold first")
            let first = try #require(running.example.takeHeld())
            #expect(running.example.takeHeld() == nil)
            #expect(running.example.log == ["hold first"])
            #expect(first.request.number == 1)
            first.responder.reply(["text": "1"])
            #expect(first.responder.reply(["text": "again"]) == .dropped)
            #expect(try await raw.read(messages: 1) == ExampleCalls.echoed("1"))
            await running.example.wait(for: "hold second")
            let second = try #require(running.example.takeHeld())
            #expect(second.request.number == 2)
            #expect(second.request.connection.id == first.request.connection.id)
            second.responder.reply(["text": "2"])
            #expect(try await raw.read(messages: 2) == ExampleCalls.echoed("2") + ExampleCalls.echoed("third"))
            #expect(running.example.log == ["hold first", "hold second", "echo third"])
        }
    }

    @Test("a oneway call gets no reply, not even an error, and later calls do not wait for it")
    func answersOnewayWithNothing() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            let oneway = #","oneway":true"#
            try await raw.write(
                ExampleCalls.echo("a", oneway) + #"{"method":"a.b.C"\#(oneway)}␀"#
                    + #"{"method":"org.example.test.Echo"\#(oneway)}␀"#
                    + #"{"method":"org.example.test.Forget"\#(oneway)}␀"#
                    + #"{"method":"org.example.test.Fail"\#(oneway)}␀"#
                    + #"{"method":"org.varlink.service.GetInfo"\#(oneway)}␀"#
                    + ExampleCalls.hold("b").replacing("}}␀", with: "}\(oneway)}␀") + ExampleCalls.echo("hello")
            )
            #expect(try await raw.read(messages: 1) == ExampleCalls.hello)
            #expect(running.example.log == ["echo a", "hold b", "echo hello"])
            let held = try #require(running.example.takeHeld())
            #expect(held.responder.reply(["text": "late"]) == .dropped)
            raw.closeWriting()
            #expect(try await raw.readToEnd() == "")
            #expect(running.incidents.isEmpty)
        }
    }

    @Test("few oneway calls of a client are under way at a time, and they end when it leaves")
    func endsOnewayCalls() async throws {
        try await RunningServer.run { running in
            do {
                let raw = try RawConnection(path: running.path)
                let calls = (0..<1_000).map { ExampleCalls.hold("\($0)").replacing("}}␀", with: "},\"oneway\":true}␀") }
                try await raw.write(calls.joined())
                await running.example.wait(for: "hold 16")
                // Another connection goes on; whatever the first could have started has started by then.
                let other = try RawConnection(path: running.path)
                try await other.write(ExampleCalls.echo("hello"))
                #expect(try await other.read(messages: 1) == ExampleCalls.hello)
                // 16, and the one that the connection waits for, also when one of the others has ended.
                #expect(running.example.log.count { $0.hasPrefix("hold ") } == 17)
                running.example.takeHeld()?.responder.reply(["text": "0"])
                raw.closeBoth()
            }
            for number in 1...16 { await running.example.wait(for: "closed \(number)") }
            #expect(running.example.log.count { $0.hasPrefix("hold ") } == 17)
            #expect(!running.example.log.contains("closed 0"), "it was answered")
        }
    }

    @Test("callbacks may be all that holds a call's responder, however the call ends", arguments: [false, true])
    func heldByCallbacks(oneway: Bool) async throws {
        try await RunningServer.run { running in
            let other = try RawConnection(path: running.path)
            // The second is still under way when the server shuts down.
            for leaves in [true, false] {
                let raw = try RawConnection(path: running.path)
                let call = ExampleCalls.hold("it")
                try await raw.write(oneway ? call.replacing("}}␀", with: "},\"oneway\":true}␀") : call)
                do {
                    let responder = try await running.example.nextHeld().responder
                    responder.onDrain { _ = responder }
                    responder.onCutOff { _ = responder }
                    responder.onWritable { _ = responder }
                    responder.onAnswer { _ in _ = responder }
                }
                if leaves { raw.closeBoth() }
                // Its event loop and the others go on.
                for connection in [other, try RawConnection(path: running.path)] {
                    try await connection.write(ExampleCalls.echo("hello"))
                    #expect(try await connection.read(messages: 1) == ExampleCalls.hello)
                }
            }
        }
    }

    /// How a call that holds its connection can end.
    enum Ending: CaseIterable {
        case reply, fail, abandon, drop
    }

    @Test(
        "a oneway call can hold its connection until it is answered or its responder is dropped",
        arguments: Ending.allCases
    )
    func holdsConnection(ending: Ending) async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            let keep = #"{"method":"org.example.test.Keep","parameters":{"key":"k"},"oneway":true}␀"#
            try await raw.write(keep + ExampleCalls.echo("hello"))
            await running.example.wait(for: "keep k")
            // Another connection is served meanwhile; if this one could start a call, it would have by then.
            let other = try RawConnection(path: running.path)
            try await other.write(ExampleCalls.echo("hello"))
            #expect(try await other.read(messages: 1) == ExampleCalls.hello)
            #expect(running.example.log == ["before 1", "keep k", "echo hello"])
            var held = running.example.takeHeld()
            switch ending {
            case .reply: held?.responder.reply()
            case .fail: held?.responder.fail(VarlinkError("org.example.test.Failed", ["reason": "on purpose"]))
            case .abandon: held?.responder.abandon()
            case .drop: break
            }
            held = nil
            #expect(try await raw.read(messages: 1) == ExampleCalls.hello, "the next call's answer, and none before")
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

    @Test("a held connection ends when its client leaves or the server stops")
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

    @Test("after a half-close all complete calls are answered, an incomplete one is not, then the server closes")
    func answersAfterHalfClose() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(ExampleCalls.hold("a") + ExampleCalls.echo("b") + #"{"method":"org.exa"#)
            raw.closeWriting()
            await running.example.wait(for: "hold a")
            try #require(running.example.takeHeld()).responder.reply(["text": "a"])
            #expect(try await raw.readToEnd() == ExampleCalls.echoed("a") + ExampleCalls.echoed("b"))
            #expect(running.incidents.isEmpty)
        }
    }

    @Test("a oneway call is executed although its sender closes at once")
    func executesOnewayBeforeClose() async throws {
        try await RunningServer.run { running in
            for index in 0..<20 {
                let raw = try RawConnection(path: running.path)
                try await raw.write(ExampleCalls.echo("\(index)", #","oneway":true"#))
                raw.closeBoth()
            }
            for index in 0..<20 { await running.example.wait(for: "echo \(index)") }
        }
    }

    @Test("closing ends the call that waits, and the next does not start", arguments: [true, false])
    func endsOnClose(afterHalfClose: Bool) async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(ExampleCalls.hold("a") + ExampleCalls.echo("b"))
            await running.example.wait(for: "hold a")
            if afterHalfClose { raw.closeWriting() }
            raw.closeBoth()
            await running.example.wait(for: "closed a")
            let held = try #require(running.example.takeHeld())
            #expect(held.responder.reply(["text": "a"]) == .dropped)
            #expect(running.example.log == ["hold a", "closed a"])
        }
    }

    @Test("an onClose that is set after the connection closed is called at once, one of an answered call never")
    func callsOnCloseLate() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(ExampleCalls.hold("a"))
            await running.example.wait(for: "hold a")
            raw.closeBoth()
            await running.example.wait(for: "closed a")
            try #require(running.example.takeHeld()).responder.onClose { running.example.note("late") }
            await running.example.wait(for: "late")

            let other = try RawConnection(path: running.path)
            try await other.write(ExampleCalls.hold("b"))
            await running.example.wait(for: "hold b")
            let held = try #require(running.example.takeHeld())
            held.responder.reply(["text": "b"])
            #expect(try await other.read(messages: 1) == ExampleCalls.echoed("b"))
            other.closeWriting()
            #expect(try await other.readToEnd() == "")
            #expect(!running.example.log.contains("closed b"))
        }
    }

    @Test("a dropped responder closes the connection, so that no client waits for ever")
    func closesWhenForgotten() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(
                ExampleCalls.echo("hello") + #"{"method":"org.example.test.Forget"}␀"# + ExampleCalls.echo("never")
            )
            #expect(try await raw.readToEnd() == ExampleCalls.hello)
            #expect(
                running.incidents == [.defect(method: "org.example.test.Forget", reason: "it gave no answer")]
            )
        }
    }

    @Test("a reply or an error that does not fit the interface is a defect if replies are checked")
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
                        reason: "in its reply, 'value' is missing, undeclared or of the wrong type"
                    ),
                    .defect(
                        method: "org.example.test.LieFail",
                        reason:
                            "in the error 'org.example.test.Failed', 'reason' is missing, undeclared or of the wrong type"
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
        let refusal = VarlinkError(VarlinkError.permissionDenied.name, ["why": "stranger"])
        try await RunningServer.run(authorize: { peer, method in
            let isAllowed =
                peer.userID == me && peer.groupID == group && peer.processID == getpid() && method.hasSuffix(".Echo")
            return isAllowed ? nil : refusal
        }) { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(#"{"method":"org.example.test.Fail"}␀"# + ExampleCalls.echo("hello"))
            #expect(
                try await raw.read(messages: 2)
                    == #"{"error":"org.varlink.service.PermissionDenied","parameters":{"why":"stranger"}}␀"#
                    + ExampleCalls.hello
            )
            #expect(running.incidents == [.denied(method: "org.example.test.Fail", error: refusal)])
        }
    }
}
