import Logging
import Basics
import SceneService
import StrictJSON
import Testing
import Varlink

@testable import SceneDaemon

@Suite("The log of what clients do wrong")
struct IncidentLogTests {
    /// The time, and the lines logged.
    private final class Fixture: Sendable {
        let time = Guarded(Duration.zero)
        let lines = Guarded<[String]>([])
        let refused = Guarded<[String: Int]>([:])
        let registry = OpenMetricsRegistry()

        func incidents() -> IncidentLog {
            let lines = lines
            let logger = Logger(label: "test") { _ in
                TakingHandler { event in
                    let fields = ["user", "method", "role", "more"].map(event.text).filter { !$0.isEmpty }
                    lines.withLock { $0.append("\(event.level) \(fields.joined(separator: " "))") }
                }
            }
            let accounts = UserAccounts { user, reason in
                self.refused.withLock { $0["\(user ?? 0) \(reason)", default: 0] += 1 }
            }
            return IncidentLog(logger: logger, factory: registry, accounts: accounts) { self.time.withLock { $0 } }
        }

        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    private func denial(_ user: UInt32, _ method: String = "a.b.C") -> VarlinkIncident {
        incident(.denied(method: method, error: VarlinkError("x.PermissionDenied", ["role": "act"])), user)
    }

    private func incident(_ kind: VarlinkIncident.Kind, _ user: UInt32) -> VarlinkIncident {
        VarlinkIncident(kind: kind, connection: 1, peer: VarlinkPeer(userID: user, groupID: 0, processID: 1))
    }

    @Test("denials are logged once per user and minute, with how many were omitted")
    func denials() {
        let fixture = Fixture()
        let log = fixture.incidents()
        for _ in 0..<5 { log.note(denial(7)) }
        log.note(denial(8))
        #expect(fixture.take() == ["notice 7 a.b.C act 0", "notice 8 a.b.C act 0"])
        fixture.time.withLock { $0 = .seconds(60) - .nanoseconds(1) }
        log.note(denial(7))
        #expect(fixture.take().isEmpty)
        fixture.time.withLock { $0 = .seconds(60) }
        log.note(denial(7, "a.b.D"))
        log.note(denial(8))
        #expect(fixture.take() == ["notice 7 a.b.D act 5", "notice 8 a.b.C act 0"])
        #expect(fixture.registry.text().contains("scened_incidents_total{kind=\"denied\"} 9\n"))
    }

    @Test("a few different reasons of a user are logged a minute")
    func reasons() {
        let fixture = Fixture()
        let log = fixture.incidents()
        for method in ["a", "b", "a", "a", "c", "d", "e", "a", "f"] { log.note(denial(7, method)) }
        let logged = ["notice 7 a act 0", "notice 7 b act 0", "notice 7 c act 2", "notice 7 d act 0"]
        #expect(fixture.take() == logged)
        fixture.time.withLock { $0 = .seconds(60) }
        log.note(denial(7, "e"))
        #expect(fixture.take() == ["notice 7 e act 3"])
    }

    @Test("each reason is logged once a minute, and each kind has a counter")
    func kinds() {
        let fixture = Fixture()
        let log = fixture.incidents()
        log.note(denial(7))
        log.note(incident(.silent, 7))
        log.note(incident(.stalled(bytes: 3), 7))
        log.note(incident(.tooManyConnections(limit: 3), 7))
        #expect(fixture.take() == ["notice 7 a.b.C act 0", "warning 7 0", "warning 7 0", "warning 7 0"])
        for kind in ["silent", "stalled", "tooManyConnections", "denied"] {
            #expect(fixture.registry.text().contains("scened_incidents_total{kind=\"\(kind)\"} 1\n"))
        }
        #expect(fixture.registry.text().contains("scened_incidents_total{kind=\"violation\"} 0\n"))
        let refused = ["7 role act": 1, "7 silent": 1, "7 stalled": 1, "7 tooManyConnections": 1]
        #expect(fixture.refused.withLock { $0 } == refused, "each counts for its user")
    }

    @Test("many users fill neither the log nor the memory, and old ones are forgotten")
    func manyUsers() {
        let fixture = Fixture()
        let log = fixture.incidents()
        for user in 0..<UInt32(3_000) { log.note(denial(user)) }
        #expect(fixture.take().count == 1_024)
        fixture.time.withLock { $0 = .seconds(61) }
        log.note(denial(5_000))
        #expect(fixture.take() == ["notice 5000 a.b.C act 0"])
        #expect(fixture.registry.text().contains("scened_incidents_total{kind=\"denied\"} 3001\n"))
    }
}
