internal import SceneVocabulary

/// Invariant 8: no stack has the same ID twice in a row unless its destination may repeat, and every stack starts at its root.
struct Stacks: InvariantCheck {
    let invariant = Invariant.stacks

    func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        guard let id = record.scene else { return }
        let scene = history.scene(of: record)
        switch record.body {
        case .sceneConnected(_, let restored, _, let window):
            judgeStacks(record, window, id, &findings)
            if restored, let scene, scene.rootReloads == history.session.reloads {
                // Tabs in whose place a flow stood are seen for the first time and have no known root.
                let known = window.layout.tabs.filter { scene.roots[$0.id] != nil }
                judgeRoots(record, known, scene.roots, id, &findings)
            }
        case .navigationStep(let op, _, let window):
            judgeStacks(record, window, id, &findings)
            guard let scene else { return }
            if case .known(.setRoot) = op { return }
            judgeRoots(record, window.layout.tabs, scene.roots, id, &findings)
        default: return
        }
    }

    private func judgeStacks(
        _ record: HistoryRecord,
        _ window: HistoryWindow,
        _ id: String,
        _ findings: inout Findings
    ) {
        window.forEachStack { stack, shown in
            if stack.isEmpty { findings.violated([record.index], "scene \(id) has a stack without screens") }
            for ((lower, upper), shown) in zip(zip(stack, stack.dropFirst()), shown.dropFirst())
            where lower.id == upper.id && !shown.repeats {
                findings.violated(
                    [record.index],
                    "scene \(id) shows \(upper) on \(lower), but \(upper.id) may not repeat"
                )
            }
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
