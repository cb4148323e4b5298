import NIOCore
import NIOTestUtils
import StrictJSON
import Testing

@testable import Varlink

@Suite("Messages on the wire", .timeLimit(.minutes(15)))
struct VarlinkWireTests {
    @Test("messages are cut at NULs, however the bytes are split")
    func cutsAtNUL() throws {
        try ByteToMessageDecoderVerifier.verifyDecoder(
            stringInputOutputPairs: [
                ("a\0", [ByteBuffer(string: "a")]),
                ("\0", [ByteBuffer()]),
                ("{}\0\0[1]\0", [ByteBuffer(string: "{}"), ByteBuffer(), ByteBuffer(string: "[1]")]),
                (String(repeating: "é", count: 8) + "\0", [ByteBuffer(string: String(repeating: "é", count: 8))]),
            ]
        ) { VarlinkFrameDecoder(limit: 16) }
    }

    @Test("a message is refused as soon as it exceeds the limit", arguments: ["12345", "12345\0", "1234\012345"])
    func limitsLength(text: String) {
        #expect(throws: (any Error).self) {
            try ByteToMessageDecoderVerifier.verifyDecoder(
                stringInputOutputPairs: [(text, [])]
            ) { VarlinkFrameDecoder(limit: 4) }
        }
        var decoder = VarlinkFrameDecoder(limit: 4)
        var buffer = ByteBuffer(string: text)
        #expect(throws: VarlinkViolation.messageTooLong(limit: 4)) {
            while try decoder.decode(buffer: &buffer) != nil {}
        }
    }

    @Test(
        "a call parses back as it was encoded",
        arguments: [
            VarlinkCall(method: "a.b.C"), VarlinkCall(method: "", parameters: ["a": nil, "b": [1, 2.5]], more: true),
            VarlinkCall(method: "a\u{0}\u{1F600}", oneway: true), VarlinkCall(method: "x", upgrade: true),
        ]
    )
    func roundTripsCalls(call: VarlinkCall) throws {
        let bytes = call.encoded()
        #expect(bytes.last == 0)
        #expect(bytes.dropLast().allSatisfy { $0 != 0 })
        #expect(try VarlinkCall(parsing: Array(bytes.dropLast()).span) == call)
    }

    @Test(
        "a reply parses back as it was encoded",
        arguments: [
            VarlinkReply(), VarlinkReply(parameters: ["a": 1], continues: true),
            VarlinkReply(parameters: ["a": 1], error: "a.b.C"),
        ]
    )
    func roundTripsReplies(reply: VarlinkReply) throws {
        #expect(try VarlinkReply(parsing: Array(reply.encoded().dropLast()).span) == reply)
    }

    @Test(
        "parameters that are left out, null or empty are the same",
        arguments: ["", #","parameters":null"#, #","parameters":{}"#]
    )
    func equalsParameters(text: String) throws {
        let bytes = Array(#"{"method":"a.b.C"\#(text)}"#.utf8)
        #expect(try VarlinkCall(parsing: bytes.span) == VarlinkCall(method: "a.b.C"))
    }

    @Test("a member that appears twice is refused")
    func refusesDuplicates() {
        let bytes = Array(#"{"method":"a.b.C","method":"a.b.D"}"#.utf8)
        #expect(throws: VarlinkViolation.self) { try VarlinkCall(parsing: bytes.span) }
    }
}
