internal import Basics
internal import DequeModule
internal import NIOPosix
internal import SceneHistory
internal import SceneModel
internal import SceneRuntime
internal import StrictJSON

/// Judges histories, one after the other, on a thread that serves nobody: however many clients ask, one core is left to the rest.
final class HistoryChecks: Sendable {
    private struct State {
        var isBusy = false
        var waiting: Deque<@Sendable () -> Void> = []
    }

    private let state = Guarded(State())

    /// How many records are judged before looking whether anybody still waits.
    private static let stretch = 1_000
    /// How many records of a violation, and how many bytes of its explanation, a reply has.
    private static let (mostRecords, longestExplanation) = (100, 1_024)

    /// Judges what has been recorded of a host, by all invariants and the host's manifests.
    ///
    /// - Parameters:
    ///   - isWanted: Asked now and then, on any thread; if it says no, judging ends without a reply.
    ///   - done: Called once, on any thread, with the reply of `io.scened.Records.Check`.
    func run(
        of host: SceneHost,
        while isWanted: @escaping @Sendable () -> Bool,
        done: @escaping @Sendable (JSONObject?) -> Void
    ) {
        enqueue { done(Self.reply(about: host, while: isWanted)) }
    }

    private func enqueue(_ check: @escaping @Sendable () -> Void) {
        let starts = state.withLock { state in
            defer { state.isBusy = true }
            if state.isBusy { state.waiting.append(check) }
            return !state.isBusy
        }
        if starts { start(check) }
    }

    private func start(_ check: @escaping @Sendable () -> Void) {
        NIOThreadPool.singleton.submit { _ in
            check()
            let next = self.state.withLock { state in
                let next = state.waiting.popFirst()
                state.isBusy = next != nil
                return next
            }
            if let next { self.start(next) }
        }
    }

    private static func reply(about host: SceneHost, while isWanted: () -> Bool) -> JSONObject? {
        var checker = HistoryChecker(apps: host.manifests.map { AppModel($0.manifest, digest: $0.digest) })
        var reader = HistoryReader()
        let end = host.records.newestIndex
        var position = 0
        while position < end {
            guard isWanted() else { return nil }
            let page = host.records.read(after: position, limit: min(stretch, end - position))
            for record in page.records {
                var text = JSONText()
                record.write(to: &text)
                reader.read(text.bytes + [UInt8(ascii: "\n")]) { checker.check($0) }
            }
            guard page.next > position else { break }
            position = page.next
        }
        return isWanted() ? reply(checker.finish(), host: host.records.host) : nil
    }

    private static func reply(_ report: HistoryReport, host: String) -> JSONObject {
        // All records are of one host.
        let judged = report.hosts.first
        return [
            "host": .string(host), "records": .integer(judged?.records ?? 0),
            "conclusion": .string("\(report.conclusion)"),
            "verdicts": .array((judged?.verdicts ?? []).map { .object(json($0)) }),
        ]
    }

    private static func json(_ report: InvariantReport) -> JSONObject {
        var object: JSONObject = [
            "number": .integer(report.invariant.rawValue), "name": .string(report.invariant.name),
            "promise": .string(report.invariant.promise),
        ]
        switch report.verdict {
        case .holds: object["verdict"] = "holds"
        case .unknown(let reason):
            object["verdict"] = "unknown"
            object["reason"] = .string(reason)
        case .violated(let violations, let count):
            object["verdict"] = "violated"
            object["count"] = .integer(count)
            object["violations"] = .array(
                violations.map { violation in
                    [
                        "records": .array(violation.records.prefix(mostRecords).map(JSONValue.integer)),
                        "explanation": .string(violation.explanation.prefix(utf8: longestExplanation)),
                    ]
                }
            )
        }
        return object
    }
}
