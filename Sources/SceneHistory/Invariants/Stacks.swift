internal import SceneVocabulary

/// Invariant 8: no stack has the same ID twice in a row unless its destination may repeat, and every stack starts at its root.
struct Stacks: InvariantCheck {
    let invariant = Invariant.stacks

    func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        guard let id = record.scene else { return }
        let scene = history.scene(of: record)
        switch record.body {
        case .sceneConnected(_, let restored, _, let window):
            judgeStacks(record, window, since: nil, id, &findings)
            if restored, let scene, scene.rootReloads == history.session.reloads {
                // Tabs in whose place a flow stood are seen for the first time and have no known root.
                let known = window.layout.tabs.filter { scene.roots[$0.id] != nil }
                judgeRoots(record, known, scene.roots, id, &findings)
            }
        case .navigationStep(let op, let cause, let window):
            // What is in progress may still do what the manifest allowed with which it began.
            let isOfBefore =
                scene?.dispatch.map { $0.isMeant(by: record) && $0.reloads != history.session.reloads } ?? false
            if !isOfBefore {
                // A sweep after a reload takes away one thing after the other, and a lock may cover the window before.
                let mayStand = history.session.reloads > 0 && (cause == .sweep || cause == .lock)
                judgeStacks(record, window, since: mayStand ? scene?.window : nil, id, &findings)
            }
            guard let scene else { return }
            if op.isRoot { return }
            judgeRoots(record, window.layout.tabs, scene.roots, id, &findings)
        default: return
        }
    }

    /// Once the host is quiet, what a reload no longer allows is gone.
    func debts(in history: KnownHost, at rest: Rest) -> [Violation] {
        guard rest == .quiet, history.session.reloads > 0 else { return [] }
        return history.resting.flatMap { id, scene -> [Violation] in
            guard scene.phase == .connected, let window = scene.window else { return [] }
            return Self.repeated(in: window).map { Violation([scene.windowIndex], "scene \(id) still shows \($0)") }
        }
    }

    /// What stands on a screen of the same name and may not, in words.
    /// - Parameter byManifest: Whether only what may not; else all that does.
    private static func repeated(in window: HistoryWindow, byManifest: Bool = true) -> [String] {
        var repeated: [String] = []
        window.forEachStack { stack, shown in
            for ((lower, upper), shown) in zip(zip(stack, stack.dropFirst()), shown.dropFirst())
            where lower.id == upper.id && !(byManifest && shown.repeats) {
                repeated.append("\(upper) on \(lower), but \(upper.id) may not repeat")
            }
        }
        return repeated
    }

    /// - Parameter earlier: A window in which what this shows may have stood already.
    private func judgeStacks(
        _ record: HistoryRecord,
        _ window: HistoryWindow,
        since earlier: HistoryWindow?,
        _ id: String,
        _ findings: inout Findings
    ) {
        window.forEachStack { stack, _ in
            if stack.isEmpty { findings.violated([record.index], "scene \(id) has a stack without screens") }
        }
        let stood = earlier.map { Set(Self.repeated(in: $0, byManifest: false)) } ?? []
        for repeated in Self.repeated(in: window) where !stood.contains(repeated) {
            findings.violated([record.index], "scene \(id) shows \(repeated)")
        }
        if !window.layout.tabs.contains(where: { $0.id == window.layout.selectedTab }) {
            findings.violated(
                [record.index],
                "scene \(id) shows the tab \(window.layout.selectedTab), which it does not have"
            )
        }
    }

    private func judgeRoots(
        _ record: HistoryRecord,
        _ tabs: [TabState],
        _ roots: [String: String],
        _ id: String,
        _ findings: inout Findings
    ) {
        // A flow that is shown in place of tabs may replace its first screen.
        for tab in tabs where tab.id != WindowState.rootTab {
            guard let first = tab.stack.first?.id, first != roots[tab.id] else { continue }
            findings.violated(
                [record.index],
                "tab \(tab.id) of scene \(id) starts at \(first), not at its root \(roots[tab.id] ?? "(it has none)")"
            )
        }
    }
}
