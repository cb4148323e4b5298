import Glibc
import Basics
import NIOCore
import StrictJSON
import TestFixtures
import Testing
import Varlink

@Suite("The stopwatch of an event loop", .timeLimit(.minutes(15)))
struct LoopStopwatchTests {
    private static let interface = """
        interface org.example.work
        method Work(milliseconds: int) -> ()
        method Sleep(milliseconds: int) -> ()

        """

    private static var processorMilliseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }

    @Test("it tells of the longest processor time that a message of a method has taken; time asleep is none")
    func tells() async throws {
        var service = try VarlinkService(interface: Self.interface)
        try service.on("Work") { request, responder in
            let end = Self.processorMilliseconds + (request.parameters["milliseconds"]?.integerValue ?? 0)
            while Self.processorMilliseconds <= end {}
            responder.reply()
        }
        try service.on("Sleep") { request, responder in
            usleep(UInt32(request.parameters["milliseconds"]?.integerValue ?? 0) * 1_000)
            responder.reply()
        }
        let told = Guarded<[String?: [Int64]]>([:])
        var options = VarlinkServer.Options()
        options.longestStretch = { method, time in
            told.withLock { $0[method, default: []].append(time.nanoseconds / 1_000_000) }
        }
        let server = try VarlinkServer(
            services: [service],
            identity: VarlinkIdentity(vendor: "V", product: "P", version: "1", url: "https://example.org"),
            options: options
        )
        let directory = try TemporaryDirectory()
        try await server.listen(path: "\(directory.path)/socket")
        let client = try await VarlinkClient.connect(path: "\(directory.path)/socket")
        for milliseconds in [20, 5, 40, 10] {
            _ = try await client.call("org.example.work.Work", ["milliseconds": .integer(milliseconds)])
        }
        _ = try await client.call("org.example.work.Sleep", ["milliseconds": 100])
        await server.shutDown(within: .zero)
        let stretches = told.withLock { $0 }
        let work = stretches["org.example.work.Work"] ?? []
        #expect(work.count == 2 && work[0] >= 20 && work[1] >= 40, "\(work)")
        #expect((stretches["org.example.work.Sleep"] ?? []).allSatisfy { $0 < 50 }, "\(stretches)")
        #expect((stretches[nil] ?? []).allSatisfy { $0 < 20 }, "\(stretches)")
    }
}
