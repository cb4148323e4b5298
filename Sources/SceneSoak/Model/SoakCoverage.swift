/// What of the app a soak reached, and how often.
package struct SoakCoverage: Hashable, Sendable {
    /// By part, each in the order in which the app declares them.
    package var items: [Part: [Item]]

    /// A part of the app.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        /// The places that the app declares, counted whenever a window comes to show one.
        case destinations
        /// The tabs, counted whenever one comes to the front.
        case tabs
        /// The flows, counted whenever a coordinator of one is attached.
        case flows
        /// The preconditions, counted whenever an event waits for one.
        case gates
        /// The conditions, counted whenever an event ends because one does not hold.
        case conditions
        /// The facts that the session keeps, counted whenever one changes.
        case facts
        /// The kinds of event, counted whenever one is admitted.
        case doors
        /// The intents of the app and of its flows, counted whenever one is admitted, also from an action of a notification.
        case intents
        /// How events can end, counted whenever one does.
        case outcomes

        /// What the count of one says.
        package var noun: String {
            switch self {
            case .destinations: "shown"
            case .tabs: "selected"
            case .flows: "begun"
            case .gates: "waited for"
            case .conditions: "refused by"
            case .facts: "changed"
            case .doors, .intents: "admitted"
            case .outcomes: "ended"
            }
        }
    }

    /// One of them.
    package struct Item: Hashable, Sendable {
        package var name: String
        /// How often it was reached.
        package var count: Int
        /// Why it was never reached, as a phrase; `nil` if it was, or if nothing is known.
        package var why: String?

        package init(_ name: String, _ count: Int, why: String? = nil) {
            (self.name, self.count, self.why) = (name, count, why)
        }
    }

    package init(items: [Part: [Item]] = [:]) { self.items = items }

    /// How many of a part were reached, and of how many.
    package func share(of part: Part) -> (reached: Int, all: Int) {
        let items = items[part] ?? []
        return (items.count { $0.count > 0 }, items.count)
    }

    /// Those of a part that were never reached.
    package func missed(_ part: Part) -> [Item] { (items[part] ?? []).filter { $0.count == 0 } }
}
