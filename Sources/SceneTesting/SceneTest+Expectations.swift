internal import Basics
internal import SceneNavigation
public import SceneVocabulary
internal import SceneRuntime
public import Testing

extension SceneTest {
    // MARK: - Windows

    /// Expects the whole window to be this one. The issue names each difference.
    public func expect(window expected: WindowState, sourceLocation: SourceLocation = #_sourceLocation) {
        guard let actual = shown(sourceLocation) else { return }
        state.withLock { $0.spoken = actual }
        report(
            WindowDifference.between(expected: expected, actual: actual),
            "window \(id) is \(actual)",
            sourceLocation
        )
    }

    /// Expects the window to be as it was when an expectation last mentioned it, with these changes and no others.
    public func expect(
        changed change: (inout WindowState) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var expected = state.withLock { $0.spoken }
        change(&expected)
        expect(window: expected, sourceLocation: sourceLocation)
    }

    /// Expects a tab's stack, root first.
    /// - Parameters:
    ///   - stack: The destinations that are expected.
    ///   - tab: The tab's name; `nil` for the selected tab.
    ///   - sourceLocation: Where an issue is reported.
    public func expect(
        stack: [Destination],
        in tab: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard let actual = shown(sourceLocation) else { return }
        let tab = tab ?? actual.selectedTab
        var expected = actual
        guard let index = expected.tabs.firstIndex(where: { $0.id == tab }) else {
            let tabs = actual.tabs.map(\.id).joined(separator: ", ")
            Issue.record("window \(id) has no tab '\(tab)', only \(tabs)", sourceLocation: sourceLocation)
            return
        }
        expected.tabs[index].stack = stack
        report(
            WindowDifference.between(expected: expected, actual: actual),
            "window \(id) is \(actual)",
            sourceLocation
        )
    }

    /// Expects exactly these presentations, bottom first.
    public func expect(modals: [ModalState], sourceLocation: SourceLocation = #_sourceLocation) {
        guard let actual = shown(sourceLocation) else { return }
        var expected = actual
        expected.modals = modals
        report(
            WindowDifference.between(expected: expected, actual: actual),
            "window \(id) is \(actual)",
            sourceLocation
        )
    }

    // MARK: - Ops

    /// Expects these ops since the last ones that were expected. With ``Exhaustivity/on`` they have to be all that happened;
    /// with ``Exhaustivity/off`` they have to be among them in this order, and the others are skipped.
    public func expect(ops expected: [NavOp], sourceLocation: SourceLocation = #_sourceLocation) {
        readRecords()
        let actual = state.withLock { state in
            defer { state.ops = [] }
            return state.ops
        }
        let differs =
            switch exhaustivity {
            case .on: actual != expected
            case .off: !actual.contains(inOrder: expected)
            }
        guard differs else { return }
        let verb = exhaustivity == .on ? "did" : "did not do all of that in order, but"
        Issue.record(
            "window \(id) \(verb):\(Self.list(actual))\nexpected:\(Self.list(expected))",
            sourceLocation: sourceLocation
        )
    }

    /// Skips the ops that have happened so far.
    public func skipOps() {
        readRecords()
        state.withLock { $0.ops = [] }
    }

    // MARK: - Violations

    /// Expects that a rule was broken, such as `leak` or `seamFailed`. A broken rule that is not expected fails the test.
    ///
    /// - Returns: The detail of the record, for further expectations; `nil` if the rule was not broken, which fails the test.
    @discardableResult
    public func expect(violation rule: String, sourceLocation: SourceLocation = #_sourceLocation) -> String? {
        readRecords()
        let violation = state.withLock { state -> Violation? in
            guard let index = state.violations.firstIndex(where: { $0.rule == rule }) else { return nil }
            return state.violations.remove(at: index)
        }
        if violation == nil {
            Issue.record("window \(id) broke no rule '\(rule)'", sourceLocation: sourceLocation)
        }
        return violation?.detail
    }

    /// Whether this rule was broken and no expectation has mentioned it yet.
    public func hasViolation(_ rule: String) -> Bool {
        readRecords()
        return state.withLock { $0.violations.contains { $0.rule == rule } }
    }

    // MARK: - Bookkeeping

    /// Fails the test if something has happened that no expectation mentioned.
    func requireSaid(_ sourceLocation: SourceLocation) {
        readRecords()
        let (ops, violations) = state.withLock { state in
            defer {
                if exhaustivity == .on { state.ops = [] }
                state.violations = []
            }
            return (state.ops, state.violations)
        }
        for violation in violations {
            Issue.record("window \(id) broke \(violation.rule): \(violation.detail)", sourceLocation: sourceLocation)
        }
        guard exhaustivity == .on, !ops.isEmpty else { return }
        Issue.record(
            "window \(id) did what nothing expected:\(Self.list(ops))",
            sourceLocation: sourceLocation
        )
    }

    /// Reads what the host has recorded since the last call.
    private func readRecords() {
        state.withLock { state in
            let read = app.host.records.read(after: state.readRecords) { $0.subject.scene == id }
            state.readRecords = read.next
            for record in read.records {
                switch record.body {
                case .navigationStep(let op, _, _): state.ops.append(op)
                case .violation(let rule, _, let detail):
                    state.violations.append(Violation(rule: rule, detail: detail))
                default: continue
                }
            }
        }
    }

    private func shown(_ sourceLocation: SourceLocation) -> WindowState? {
        do {
            return try window
        } catch {
            Issue.record("window \(id): \(error)", sourceLocation: sourceLocation)
            return nil
        }
    }

    private func report(
        _ differences: [WindowDifference],
        _ whole: String,
        _ sourceLocation: SourceLocation
    ) {
        guard !differences.isEmpty else { return }
        let list = differences.map { "\n  \($0)" }.joined()
        Issue.record("\(whole)\(list)", sourceLocation: sourceLocation)
    }

    private static func list(_ ops: [NavOp]) -> String {
        ops.isEmpty ? "\n  nothing" : ops.map { "\n  \($0)" }.joined()
    }
}

extension [NavOp] {
    fileprivate func contains(inOrder expected: [NavOp]) -> Bool {
        var rest = self[...]
        for op in expected {
            guard let index = rest.firstIndex(of: op) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }
}
