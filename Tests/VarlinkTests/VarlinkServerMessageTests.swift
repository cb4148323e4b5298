import Testing
import Varlink
import TestFixtures

@Suite("Messages that a server reads", .timeLimit(.minutes(15)))
struct VarlinkServerMessageTests {
    @Test(
        "a violation of the protocol closes the connection without a reply, after the replies to earlier calls",
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
            try await raw.write(ExampleCalls.echo("before") + message + ExampleCalls.echo("after"))
            #expect(try await raw.readToEnd() == ExampleCalls.echoed("before"))
            #expect(running.incidents == [.violation(violation)])
            #expect(running.example.log == ["echo before"])
            let next = try RawConnection(path: running.path)
            try await next.write(ExampleCalls.echo("next"))
            #expect(try await next.read(messages: 1) == ExampleCalls.echoed("next"))
        }
    }

    @Test("garbage, a byte order mark and bytes that are not UTF-8 close the connection")
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
            try await raw.write(ExampleCalls.echo("hello", #","com.example.trace":{"id":1}"#))
            #expect(try await raw.read(messages: 1) == ExampleCalls.hello)
        }
    }

    @Test("messages are found even if the bytes arrive one by one")
    func takesSingleBytes() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            for byte in (ExampleCalls.echo("a") + ExampleCalls.echo("é")).utf8Bytes {
                try await raw.write(bytes: [byte])
            }
            #expect(try await raw.read(messages: 2) == ExampleCalls.echoed("a") + ExampleCalls.echoed("é"))
        }
    }

    @Test("a message nested 64 levels deep is read, one nested deeper closes the connection")
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

    @Test("a message of exactly the limit is read, one more byte closes the connection, with or without a NUL")
    func limitsLength() async throws {
        var limits = VarlinkServerLimits()
        limits.message.bytes = 1000
        try await RunningServer.run(limits: limits) { running in
            let frame = ExampleCalls.echo("").utf8Bytes.count - 1
            let raw = try RawConnection(path: running.path)
            try await raw.write(ExampleCalls.echo(String(repeating: "x", count: 1000 - frame)))
            #expect(try await raw.read(messages: 1).count > 900)
            try await raw.write(ExampleCalls.echo(String(repeating: "x", count: 1001 - frame)))
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
            // Writing may fail, because the server closes in the middle of it.
            _ = try? await raw.write(bytes: [UInt8](repeating: 0x20, count: 2 << 20))
            #expect(try await raw.readToEnd() == "")
            #expect(running.incidents == [.violation(.messageTooLong(limit: 1 << 20))])
            try await other.write(ExampleCalls.echo("hello"))
            #expect(try await other.read(messages: 1) == ExampleCalls.hello)
        }
    }
}
