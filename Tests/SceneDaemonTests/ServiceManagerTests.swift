import Basics
import Dispatch
import Logging
import Systemd
import Testing

@testable import SceneDaemon

@Suite("The service manager", .timeLimit(.minutes(15)))
struct ServiceManagerTests {

    @Test("one that takes nothing is told little more, and the log says so once each time")
    func deaf() async throws {
        let lines = Guarded<[String]>([])
        let logger = Logger(label: "test") { _ in
            TakingHandler { event in lines.withLock { $0.append("\(event.message), \(event.text("error"))") } }
        }
        let mayGo = DispatchSemaphore(value: 0)
        let (told, telling) = AsyncStream.makeStream(of: ServiceNotification.self)
        let manager = ServiceManager(logger: logger) { notification in
            mayGo.wait()
            telling.yield(notification)
        }
        var all = told.makeAsyncIterator()
        for round in 1...2 {
            for _ in 0..<(2 * ServiceManager.mostWaiting) { manager.notify(.watchdog) }
            #expect(lines.withLock { $0.count } == round)
            for _ in 0..<ServiceManager.mostWaiting { mayGo.signal() }
            for _ in 0..<ServiceManager.mostWaiting { _ = await all.next() }
            await manager.end()
        }
        #expect(
            lines.withLock { $0.last }
                == "the service manager could not be notified, it has not taken the last 64 messages"
        )
    }
}
