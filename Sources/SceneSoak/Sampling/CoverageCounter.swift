package import SceneHistory
package import SceneRouting
internal import SceneVocabulary

/// Counts what of an app the records show.
package struct CoverageCounter: Sendable {
    private let app: AppManifest
    private let conditions: Set<String>
    private let intents: Set<String>
    private var counts: [SoakCoverage.Part: [String: Int]] = [:]
    /// What each window shows.
    private var shown: [String: Set<String>] = [:]
    /// How often an event to a destination was stopped, by what.
    private var stops: [String: [String: Int]] = [:]
    private var asked: Set<String> = []
    /// The tab in front in each window.
    private var selected: [String: String] = [:]

    /// A counter that has seen nothing yet.
    package init(_ app: AppManifest) {
        self.app = app
        conditions = Set(app.conditions.map(\.name))
        intents = Set(Self.intents(of: app))
    }

    private static func intents(of app: AppManifest) -> [String] {
        (app.intents + app.flows.flatMap(\.intents)).map(\.name)
    }

    /// Counts what a record shows; records come in the order made.
    package mutating func take(_ record: HistoryRecord) {
        switch record.body {
        case .sceneConnected(_, _, _, let window), .navigationStep(_, _, let window):
            let now = Set(window.layout.destinations.map(\.id))
            let scene = record.scene ?? ""
            for id in now.subtracting(shown[scene] ?? []) { count(.destinations, id) }
            shown[scene] = now
            let tab = window.layout.selectedTab
            if selected.updateValue(tab, forKey: scene) != tab { count(.tabs, tab) }
        case .sceneDisconnected, .sceneDiscarded:
            (shown[record.scene ?? ""], selected[record.scene ?? ""]) = (nil, nil)
        case .hostStarted: (shown, selected) = ([:], [:])
        case .sessionCommitted(_, _, _, let facts): for name in (facts ?? [:]).keys { count(.facts, name) }
        case .coordinatorAttached(let flow, _, _): count(.flows, flow)
        case .eventAdmitted(let arrival):
            if let kind = arrival.kind { count(.doors, kind) }
            // A gesture or a flow has a name, too.
            if arrival.kind == "intent" || arrival.kind == "push", let name = arrival.name, intents.contains(name) {
                count(.intents, name)
            }
            if let destination = arrival.destination { asked.insert(destination.id) }
        case .dispatchResolved(let destination?, let verdict, let reason, _, _, _):
            asked.insert(destination.id)
            if verdict != .proceed, let reason { stops[destination.id, default: [:]][reason, default: 0] += 1 }
        case .gateParked(let precondition, _, _, _): count(.gates, precondition)
        case .dispatchEnded(let end):
            count(.outcomes, end.outcome.rawValue)
            if let reason = end.reason, conditions.contains(reason) { count(.conditions, reason) }
        case .gateSuperseded: count(.outcomes, OutcomeName.superseded.rawValue)
        case .gateAbandoned: count(.outcomes, OutcomeName.abandoned.rawValue)
        default: break
        }
    }

    private mutating func count(_ part: SoakCoverage.Part, _ name: String) {
        counts[part, default: [:]][name, default: 0] += 1
    }

    /// What was reached of what the app declares.
    package var coverage: SoakCoverage {
        var coverage = SoakCoverage()
        coverage.items[.destinations] = items(.destinations, app.destinations.map(\.id)) { why(destination: $0) }
        coverage.items[.tabs] = items(.tabs, app.tabs.map(\.id)) { _ in nil }
        coverage.items[.flows] = items(.flows, app.flows.map(\.name)) { why(flow: $0) }
        let gates = app.roots.map(\.flow) + (app.lock.map { [$0.flow] } ?? []) + app.preconditions.map(\.name)
        coverage.items[.gates] = items(.gates, gates) { _ in nil }
        coverage.items[.conditions] = items(.conditions, app.conditions.map(\.name)) { _ in nil }
        coverage.items[.facts] = items(.facts, app.facts.map(\.name)) { _ in nil }
        coverage.items[.doors] = items(.doors, doors) { _ in nil }
        coverage.items[.intents] = items(.intents, Self.intents(of: app)) { _ in nil }
        coverage.items[.outcomes] = items(.outcomes, outcomes) { _ in nil }
        return coverage
    }

    private func items(
        _ part: SoakCoverage.Part,
        _ names: [String],
        _ why: (String) -> String?
    ) -> [SoakCoverage.Item] {
        var known: Set<String> = []
        return names.filter { known.insert($0).inserted }.map { name in
            let count = counts[part]?[name] ?? 0
            return SoakCoverage.Item(name, count, why: count == 0 ? why(name) : nil)
        }
    }

    /// The kinds of event that the app takes: URLs and pushes, what its adapters take, and what happens inside its windows.
    private var doors: [String] {
        ["url", "push"]
            + AdapterDeclaration.members.map(\.key).filter { kind in
                app.adapters.contains { $0.kinds.contains(kind) }
            } + (app.intents.isEmpty && app.flows.allSatisfy(\.intents.isEmpty) ? [] : ["intent"]) + ["gesture"]
            + (app.flows.isEmpty ? [] : ["flow"])
    }

    private var outcomes: [String] {
        let isGated = !app.preconditions.isEmpty || !app.roots.isEmpty || app.lock != nil
        return OutcomeName.allCases.filter { outcome in
            switch outcome {
            case .admitted: false
            case .gated, .superseded: isGated
            default: true
            }
        }.map(\.rawValue)
    }

    private func why(destination id: String) -> String? {
        if let most = stops[id]?.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) {
            return
                "events to it were stopped by \(most.key), \(Wording.count(most.value)) \(most.value == 1 ? "time" : "times")"
        }
        if asked.contains(id) { return "every event to it ended before it was shown" }
        let isVariant = app.destinations.contains { $0.variants.contains { $0.destination == id } }
        return isVariant ? "it was chosen for nobody" : "no event asked for it"
    }

    private func why(flow name: String) -> String? {
        let gates = app.preconditions.filter { $0.flow == name }.map(\.name)
        if gates.isEmpty { return nil }
        let isMet = gates.allSatisfy { counts[.gates]?[$0] == nil }
        return isMet ? "nothing waited for \(gates.joined(separator: ", "))" : nil
    }
}
