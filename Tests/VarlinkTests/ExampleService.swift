import NIOCore
import StrictJSON
import Basics
import TestFixtures
import Varlink

/// A service whose answers the test controls: it notes each call in the order of arrival and keeps the responders of
/// `Hold` and `Stream`.
final class ExampleService: Sendable {
    static let source = """
        # An example.
        interface org.example.test

        type Point (x: int, y: int)

        method Echo(text: string, number: ?int, points: ?[]Point) -> (text: string)

        method Hold(key: string) -> (text: string)

        method Keep(key: string) -> ()

        method Stream() -> (value: int)

        method Forget() -> ()

        method Lie() -> (value: int)

        method Fail() -> ()

        method LieFail() -> ()

        method Nobody() -> ()

        error Failed (reason: string)

        """

    struct Held: Sendable {
        let request: VarlinkRequest
        let responder: VarlinkResponder
    }

    let arrivals: AsyncStream<String>
    private let arrived: AsyncStream<String>.Continuation
    private let notes = Guarded<[String]>([])
    private let held = Guarded<[Held]>([])

    /// What each `Echo` does before it answers.
    private let work: @Sendable () -> Void

    init(work: @escaping @Sendable () -> Void = {}) {
        self.work = work
        (arrivals, arrived) = AsyncStream.makeStream()
    }

    var log: [String] { notes.withLock { $0 } }

    func note(_ text: String) {
        notes.withLock { $0.append(text) }
        arrived.yield(text)
    }

    /// Waits until `text` has been noted.
    func wait(for text: String) async {
        if log.contains(text) { return }
        for await arrival in arrivals where arrival == text || log.contains(text) { return }
    }

    func takeHeld() -> Held? {
        held.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// The next call that is held, waiting for it.
    func nextHeld() async throws -> Held {
        var next: Held?
        try await until("a call is held") {
            next = takeHeld()
            return next != nil
        }
        guard let next else { throw NeverHappened(what: "a call is held") }
        return next
    }

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: Self.source)
        try service.on("Echo") { [self] request, responder in
            let text = request.parameters["text"] ?? .null
            note("echo \(text.stringValue ?? "?")")
            work()
            responder.reply(["text": text])
        }
        try service.on("Hold") { [self] request, responder in
            let key = request.parameters["key"]?.stringValue ?? "?"
            responder.onClose { self.note("closed \(key)") }
            held.withLock { $0.append(Held(request: request, responder: responder)) }
            note("hold \(key)")
        }
        try service.on("Keep") { [self] request, responder in
            let key = request.parameters["key"]?.stringValue ?? "?"
            responder.holdConnection()
            responder.onAnswer { self.note("answered \(key) \($0 ?? "well")") }
            held.withLock { $0.append(Held(request: request, responder: responder)) }
            note("keep \(key)")
        }
        try service.on("Stream", requiresMore: true) { [self] request, responder in
            responder.onClose { self.note("closed stream") }
            held.withLock { $0.append(Held(request: request, responder: responder)) }
            note("stream")
        }
        try service.on("Forget") { _, _ in }
        try service.on("Lie") { _, responder in responder.reply(["value": "seven"]) }
        try service.on("Fail") { _, responder in
            responder.fail(VarlinkError("org.example.test.Failed", ["reason": "on purpose"]))
        }
        try service.on("LieFail") { _, responder in
            responder.fail(VarlinkError("org.example.test.Failed", ["reason": 7]))
        }
        service.before { [self] request, _ in
            if request.call.method.hasSuffix(".Keep") { note("before \(request.number)") }
        }
        return service
    }
}

/// Calls of the example service, and replies, as they stand on the wire; `␀` is the NUL.
enum ExampleCalls {
    static let hello = #"{"parameters":{"text":"hello"}}␀"#
    static func echo(_ text: String, _ more: String = "") -> String {
        #"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}\#(more)}␀"#
    }
    static func echoed(_ text: String) -> String { #"{"parameters":{"text":"\#(text)"}}␀"# }
    static func hold(_ key: String) -> String {
        #"{"method":"org.example.test.Hold","parameters":{"key":"\#(key)"}}␀"#
    }
}
