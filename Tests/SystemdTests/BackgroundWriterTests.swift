import Glibc
import Basics
import Testing

@testable import Systemd

@Suite("The background writer")
struct BackgroundWriterTests {
    /// What reached the sink, in order.
    final class Sink: Sendable {
        let received = Guarded<[String]>([])
        let refusals = Guarded(0)
        let gate: Gate?

        init(gate: Gate? = nil) { self.gate = gate }

        func take(_ element: String) -> Int32 {
            gate?.pass()
            let refuses = refusals.withLock { left in
                defer { left = max(0, left - 1) }
                return left > 0
            }
            if refuses { return ENOBUFS }
            received.withLock { $0.append(element) }
            return 0
        }

        var elements: [String] { received.withLock { $0 } }
    }

    private func writer(
        _ sink: Sink,
        elements: Int = 4,
        bytes: Int = 1000
    ) throws -> BackgroundWriter<String> {
        try BackgroundWriter(
            name: "test",
            limits: .init(elements: elements, bytes: bytes),
            size: { $0.utf8.count },
            gap: { "gap \($0.overflowed)+\($0.failed)" },
            send: { sink.take($0) }
        )
    }

    @Test("writes everything in order and reports it")
    func keepsOrder() throws {
        let sink = Sink()
        let writer = try writer(sink, elements: 10_000, bytes: 1 << 20)
        let expected = (0..<5000).map { "\($0)" }
        for element in expected { #expect(writer.write(element)) }
        #expect(writer.finish(within: .seconds(60)) == WriterReport(sent: 5000, overflowed: 0, failed: 0, remaining: 0))
        #expect(sink.elements == expected)
    }

    @Test("elements that are given up are dropped, and a gap stands for them")
    func givesUp() throws {
        let gate = Gate()
        let sink = Sink(gate: gate)
        let writer = try writer(sink)
        #expect(writer.write("first"))
        gate.awaitArrivals(1)
        for number in 0..<6 { _ = writer.write("\(number)") }
        // Two were dropped because the queue was full, four are given up.
        let given = writer.giveUp(within: .zero)
        #expect(given == WriterReport(sent: 0, overflowed: 6, failed: 0, remaining: 1))
        gate.open()
        #expect(writer.finish(within: .seconds(60)).isComplete == false)
        #expect(sink.elements == ["first", "gap 6+0"])
    }

    @Test("a stalled sink never blocks a caller, and the gap is written in place of the loss")
    func stalledSink() throws {
        let gate = Gate()
        let sink = Sink(gate: gate)
        let writer = try writer(sink)
        #expect(writer.write("first"))
        gate.awaitArrivals(1)
        // The sink now holds "first" for ever. Four more fit; every further call returns too.
        for index in 0..<4 { #expect(writer.write("queued \(index)")) }
        for index in 0..<1000 { #expect(!writer.write("lost \(index)")) }
        #expect(!writer.flush(within: .zero))
        #expect(writer.report == WriterReport(sent: 0, overflowed: 1000, failed: 0, remaining: 5))

        gate.open(2)
        gate.awaitArrivals(3)
        #expect(writer.write("later"))
        gate.open()
        #expect(writer.finish(within: .seconds(60)) == WriterReport(sent: 6, overflowed: 1000, failed: 0, remaining: 0))
        #expect(sink.elements == ["first", "queued 0", "queued 1", "queued 2", "queued 3", "gap 1000+0", "later"])
    }

    @Test("a gap is written even if no element follows it")
    func trailingGap() throws {
        let gate = Gate()
        let sink = Sink(gate: gate)
        let writer = try writer(sink, elements: 1)
        writer.write("a")
        gate.awaitArrivals(1)
        writer.write("b")
        #expect(!writer.write("c"))
        gate.open()
        #expect(writer.flush(within: .seconds(60)))
        #expect(sink.elements == ["a", "b", "gap 1+0"])
    }

    @Test("is bounded in bytes, but accepts a single element of any size")
    func boundedBytes() throws {
        let gate = Gate()
        let sink = Sink(gate: gate)
        let writer = try writer(sink, elements: 100, bytes: 10)
        let large = String(repeating: "x", count: 50)
        #expect(writer.write("a"))
        gate.awaitArrivals(1)
        #expect(writer.write(large))
        #expect(!writer.write("b"))
        gate.open()
        #expect(writer.flush(within: .seconds(60)))
        #expect(writer.write("123456"))
        #expect(writer.finish(within: .seconds(60)).sent == 3)
        #expect(sink.elements == ["a", large, "gap 1+0", "123456"])
    }

    @Test("elements that the sink refuses are counted, and the gap is retried until it is written")
    func failingSink() throws {
        let sink = Sink()
        sink.refusals.withLock { $0 = 3 }
        let writer = try writer(sink)
        // The first element fails, then the gap and the second; then the gap for both succeeds.
        writer.write("a")
        #expect(writer.flush(within: .seconds(60)))
        writer.write("b")
        #expect(writer.flush(within: .seconds(60)))
        writer.write("c")
        #expect(writer.finish(within: .seconds(60)) == WriterReport(sent: 1, overflowed: 0, failed: 2, remaining: 0))
        #expect(sink.elements == ["gap 0+2", "c"])
    }

    @Test("finishing gives up at its deadline and reports how much is left")
    func deadline() throws {
        let gate = Gate()
        let sink = Sink(gate: gate)
        let writer = try writer(sink)
        writer.write("a")
        gate.awaitArrivals(1)
        writer.write("b")
        #expect(writer.finish(within: .milliseconds(1)).remaining == 2)
        #expect(!writer.write("after the end"))
        gate.open()
    }

    @Test("loses nothing and keeps each thread's order when many write at once")
    func concurrentCallers() async throws {
        let sink = Sink()
        let writer = try writer(sink, elements: 100_000, bytes: 1 << 24)
        await withTaskGroup(of: Void.self) { group in
            for caller in 0..<4 {
                group.addTask { for index in 0..<2000 { writer.write("\(caller) \(index)") } }
            }
        }
        #expect(writer.finish(within: .seconds(60)).sent == 8000)
        for caller in 0..<4 {
            #expect(sink.elements.filter { $0.hasPrefix("\(caller) ") } == (0..<2000).map { "\(caller) \($0)" })
        }
    }

    @Test("a writer that is released still writes what it accepted")
    func release() throws {
        let sink = Sink(gate: Gate())
        try writer(sink).write("a")
        sink.gate?.open()
        sink.gate?.awaitArrivals(1)
    }

    @Test("a gap's text says how many are missing and why")
    func gapText() {
        var gap = WriterGap()
        gap.failed = 1
        gap.lastError = ENOBUFS
        #expect(gap.description == "1 log entry is missing here: 1 could not be written (No buffer space available)")
        gap.overflowed = 2
        #expect(gap.description.hasPrefix("3 log entries are missing here: 2 came while the queue was full, 1 could"))
    }
}
