internal import Basics
public import SceneClient
internal import SceneRouting
public import StrictJSON
public import Testing

// An expectation looks at once; if it is not met, it waits until nothing is going on any more, and looks again. So none waits for a
// fixed time, and one that fails does so at once. What is not as expected is an issue; what is thrown is that it cannot be told.

extension TestWindow {
    /// Expects the window to be as this text says, in the notation in which windows are written: `home › cart › auth[login]`,
    /// `*home: home | orders: orders`, `disconnected` or `gone`. What the text leaves out, tabs that are not in front and styles, may
    /// be anything.
    /// - Throws: ``DaemonTestError`` if the text cannot be read, or no window of the app can show that.
    public func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let expected: WrittenWindow
        do {
            expected = try WrittenWindow(parsing: text)
        } catch {
            throw DaemonTestError("\(text.quotedForMessage) is no window: \(error)")
        }
        let run = try app.run()
        try await run.check { $0.windows.problem(with: expected) }
        try await run.expect("window \(name) does not show what was expected", sourceLocation) {
            let state = try await state()
            let shown = WrittenWindow(state)
            var lines = [("expected", "\(expected)")]
            switch (expected, shown) {
            case (.window(let expected), .window(let shown)):
                if expected.describes(shown) { return nil }
                let isInFull = expected.isWhole || expected.presentations.contains { $0.style != nil }
                lines.append(("shown", "\(isInFull ? shown : shown.front)"))
                lines += expected.front.difference(from: shown.front)
            default:
                if expected == shown { return nil }
                lines.append(("shown", "\(shown)"))
            }
            return try await lines + around(state)
        }
    }

    /// Expects the window to show none of these screens, neither in the selected tab nor over it: `cart`, or with parameters,
    /// `product(id: p1)`.
    /// - Throws: ``DaemonTestError`` if the app has no such screen, or none with such parameters.
    public func expect(notShown screens: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let run = try app.run()
        let unwanted = try screens.map { text throws(DaemonTestError) in
            do throws(WindowNotationError) {
                return try Destination(parsing: text)
            } catch {
                throw DaemonTestError("\(text.quotedForMessage) is no screen: \(error)")
            }
        }
        guard !unwanted.isEmpty else {
            throw DaemonTestError("expect(notShown:) of nothing is always met; name the screens")
        }
        // One without parameters stands for every one of that name.
        for screen in unwanted {
            try await run.check { app in
                screen.parameters.isEmpty ? app.windows.problem(withName: screen.id) : app.windows.problem(with: screen)
            }
        }
        try await run.expect("window \(name) shows what was not expected", sourceLocation) {
            let state = try await state()
            guard case .window(let shown) = WrittenWindow(state) else { return nil }
            let screens = shown.front.destinations
            let found = unwanted.filter { wanted in
                screens.contains { $0 == wanted || wanted.parameters.isEmpty && $0.id == wanted.id }
            }
            guard !found.isEmpty else { return nil }
            let lines = [
                ("not expected", found.map(\.description).joined(separator: ", ")), ("shown", "\(shown.front)"),
            ]
            return try await lines + around(state)
        }
    }

    /// Expects something to wait in the window for this precondition.
    public func expect(parkedAt precondition: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await app.run().expect("nothing waits for \(precondition) in window \(name)", sourceLocation) {
            let state = try await state()
            let parked = state?.parked ?? []
            if parked.contains(where: { $0.precondition == precondition || $0.need == precondition }) { return nil }
            return try await [("expected", "parked at \(precondition)"), ("shown", "\(WrittenWindow(state))")]
                + around(state)
        }
    }

    /// Expects an activation state.
    public func expect(_ activation: Activation, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await app.run().expect("window \(name) has another activation state", sourceLocation) {
            let found = try await state()?.activation
            if found?.known == activation { return nil }
            return [("expected", activation.rawValue), ("is", found.map { "\($0)" } ?? "gone")]
        }
    }

    /// What else helps: what waits in the window, and the last event that the test sent to it.
    private func around(_ state: ClientScene?) async throws -> [(String, String)] {
        var lines = (state?.parked ?? []).map { ("gated at", "\($0.need): \($0.destination) (event \($0.event))") }
        if let last = try app.run().state.withLock({ $0.last[name] }) {
            lines.append(("last event", try await last.line()))
        }
        return lines
    }
}

extension TestEvent {
    /// Expects the event to have this outcome.
    /// - Parameters:
    ///   - outcome: The outcome.
    ///   - reason: The reason; `nil` for any. What is gated has none: ``expect(gatedAt:sourceLocation:)`` names the precondition.
    ///   - sourceLocation: Where an issue is reported.
    /// - Throws: ``DaemonTestError`` for a reason that neither the daemon nor the app's manifest gives for this outcome.
    public func expect(
        _ outcome: OutcomeName,
        reason: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        if let reason {
            guard outcome != .gated else {
                throw DaemonTestError("what is gated has no reason; use expect(gatedAt: \"\(reason)\")")
            }
            // What has come is refused by no manifest that came later.
            let came = try await receipt()
            if came.outcome == outcome, came.reason == reason { return }
            try await run.check { $0.outcomes.problem(with: outcome, because: reason) }
        }
        try await run.expect("event \(id) has another outcome", sourceLocation) {
            let receipt = try await receipt()
            if receipt.outcome == outcome, reason == nil || receipt.reason == reason { return nil }
            return [
                ("expected", outcome.rawValue + (reason.map { " (\($0))" } ?? "")), ("is", try await line()),
            ]
        }
    }

    /// Expects the event to wait for this precondition.
    /// - Throws: ``DaemonTestError`` if the app has no such precondition.
    public func expect(gatedAt precondition: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let came = try await receipt()
        if came.outcome == .gated, came.precondition == precondition { return }
        try await run.check { $0.outcomes.problem(with: .gated, because: precondition) }
        try await run.expect("event \(id) does not wait where expected", sourceLocation) {
            let receipt = try await receipt()
            if receipt.outcome == .gated, receipt.precondition == precondition { return nil }
            return [("expected", "gated at \(precondition)"), ("is", try await line())]
        }
    }
}

extension TestApp {
    /// Expects this user to be signed in; `nil` for nobody.
    /// - Throws: ``DaemonTestError`` for what is no name, so that nobody can have it.
    public func expect(user: String?, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        if let user, let problem = NameRule.problem(user) {
            throw DaemonTestError("the user \(user.quotedForMessage) \(problem); nil expects nobody")
        }
        try await run().expect("somebody else is signed in", sourceLocation) {
            let found = try await session().user
            return found == user ? nil : [("expected", user ?? "nobody"), ("signed in", found ?? "nobody")]
        }
    }

    /// Expects facts to have these values; `null` for one that has none. Others may have any. One that is secret has the placeholder that
    /// the session shows.
    /// - Throws: ``DaemonTestError`` for a fact that the app does not have, or a value that it can never have, such as one of another type.
    public func expect(facts: JSONObject, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await run().check { $0.facts.problem(with: facts) }
        try await run().expect("facts have other values", sourceLocation) {
            let found = try await session().facts
            let differing = facts.filter { $0.value != found[$0.key] ?? .null }
            guard !differing.isEmpty else { return nil }
            return differing.map { name, value in
                (name, "expected \(value.text(.compact)), is \((found[name] ?? .null).text(.compact))")
            }
        }
    }
}

extension TestRun {
    /// Looks, and if what is found is not what is expected, waits for rest and looks again.
    /// - Parameter look: The difference, as lines with their titles; `nil` for none.
    func expect(
        _ what: String,
        _ sourceLocation: SourceLocation,
        _ look: () async throws -> [(String, String)]?
    ) async throws {
        guard try await look() != nil else { return }
        try await settle()
        guard let lines = try await look() else { return }
        let width = (lines.map(\.0.count).max() ?? 0) + 2
        let text = lines.map { "  \($0): ".padded(to: width + 2) + $1 }
        Issue.record("\(([what] + text).joined(separator: "\n"))", sourceLocation: sourceLocation)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension WrittenWindow {
    init(_ scene: ClientScene?) {
        guard let scene else {
            self = .gone
            return
        }
        guard let window = scene.window else {
            self = .disconnected
            return
        }
        let modals = window.modals.map {
            WindowText.Presentation(style: $0.style.known, flow: $0.flow, stack: $0.stack)
        }
        self = .window(WindowText(tabs: window.tabs, selectedTab: window.selectedTab, presentations: modals))
    }
}

extension WindowText {
    /// Where what is in front differs first.
    fileprivate func difference(from shown: WindowText) -> [(String, String)] {
        func places(_ text: WindowText) -> [String] {
            text.tabs.flatMap(\.stack).map(\.description) + text.presentations.map(\.description)
        }
        let (one, other) = (places(self), places(shown))
        if let index = zip(one, other).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            return [("differs", "place \(index + 1) is \(other[index]), not \(one[index])")]
        }
        if one.count > other.count { return [("missing", one[other.count...].joined(separator: " › "))] }
        if other.count > one.count { return [("too much", other[one.count...].joined(separator: " › "))] }
        return []
    }
}
