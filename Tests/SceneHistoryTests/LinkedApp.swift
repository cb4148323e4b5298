import Basics
import SceneRouting

/// Apps in which links lead to destinations with ancestries that agree with each other or not, and flows push destinations and screens
/// of their own, with parameters of every type.
enum LinkedApp {
    /// An app by this seed: two tabs, and above them destinations whose ancestries are any others, in any order. A link leads to
    /// each (`linked://ID?NAME=VALUE`), to some a tap from inside (`to-ID`), and flows push and replace what they have (`push-ID`,
    /// `replace-ID`).
    static func make(seed: UInt64) -> AppManifest {
        var random = SplitMix(seed: seed)
        while true {
            let manifest = candidate(&random)
            // An ancestor may want a parameter that what is above it does not have.
            if (try? RoutingEngine(manifest: manifest)) != nil { return manifest }
        }
    }

    /// The parameters of all destinations by name, with some values that they may have, of which the first two are canonical.
    private static let values: [(name: String, type: ParameterType, values: [String])] = [
        ("text", .string, ["x", "y", "ü"]),
        ("number", .integer(minimum: nil, maximum: 99), ["3", "7", "007"]),
        (
            "uuid", .uuid,
            [
                "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "00000000-0000-0000-0000-00000000000a",
                "6BA7B811-9DAD-11D1-80B4-00C04FD430C8",
            ]
        ),
        ("date", .date, ["2026-11-27T08:00:00Z", "2026-11-28T00:00:00Z", "2026-11-27"]),
        ("word", .oneOf(["one", "two", "three"]), ["one", "two", "three"]),
        ("code", .pattern("[a-z]{1,3}"), ["a", "bc", "def"]),
        ("list", .list(of: .string), ["a", "b", "c"]),
    ]

    private static func candidate(_ random: inout SplitMix) -> AppManifest {
        let tabs = ["a", "b"].map { TabDeclaration(id: $0, root: "root-\($0)") }
        var destinations = tabs.map { tab in
            DestinationDeclaration(
                id: tab.root,
                parameters: parameters(&random).filter { !$0.isRequired },
                presentation: .tab(tab.id)
            )
        }
        let ids = (1...6).map { "d\($0)" }
        for id in ids {
            var destination = DestinationDeclaration(id: id, parameters: parameters(&random))
            if random.below(3) == 0 {
                destination.presentation = .modal(random.pick([.sheet, .fullScreen, .popover]))
                destination.isOverCurrent = random.below(4) == 0
            }
            if random.below(3) == 0 { destination.flow = "flow-\(id)" }
            destination.repeats = random.below(5) == 0
            if !destination.isOverCurrent {
                destination.ancestry =
                    [random.pick(tabs).root] + ids.filter { $0 != id }.shuffled(using: &random).prefix(random.below(4))
            }
            destinations.append(destination)
        }
        let flows = destinations.filter { $0.flow != nil }.map { first in
            let own = FlowScreen(id: "own-\(first.id)", parameters: parameters(&random))
            let others = destinations.dropFirst(2).filter { $0.id != first.id }.shuffled(using: &random).prefix(2)
            let shown =
                [first, DestinationDeclaration(id: own.id, parameters: own.parameters)] + others
            return FlowDeclaration(
                name: "flow-\(first.id)",
                screens: shown.map { $0.id == own.id ? own : FlowScreen(id: $0.id) },
                intents: shown.flatMap { screen in
                    [
                        intent("push-\(screen.id)", screen) { .push(screen: screen.id, parameters: $0) },
                        // A flow that replaces the screen by which it is in a tab is not there any more.
                        intent("replace-\(screen.id)", screen, from: [own.id]) {
                            .replace(screen: screen.id, parameters: $0)
                        },
                    ]
                }
            )
        }
        let led = destinations.filter { _ in random.below(2) == 0 }
        return AppManifest(
            name: "Linked",
            schemes: ["linked"],
            tabs: tabs,
            destinations: destinations,
            routes: destinations.map { RouteDeclaration(destination: $0.id, pattern: "linked://\($0.id)?**") },
            flows: flows,
            intents: led.map { target in
                intent("to-\(target.id)", target) { .route(destination: target.id, parameters: $0) }
            }
        )
    }

    /// An intent that hands on what it is given.
    private static func intent(
        _ name: String,
        _ target: DestinationDeclaration,
        from screens: [String] = [],
        _ effect: ([String: ValueSource]) -> IntentEffect
    ) -> IntentDeclaration {
        let parameters = target.parameters.map {
            ParameterDeclaration(name: $0.name, type: .string, isRequired: false)
        }
        return IntentDeclaration(
            name: name,
            parameters: parameters,
            screens: screens,
            effects: [effect(Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, .parameter($0.name)) }))]
        )
    }

    /// Some parameters, of which some have defaults that are not the same everywhere.
    private static func parameters(_ random: inout SplitMix) -> [ParameterDeclaration] {
        values.filter { _ in random.below(4) == 0 }.map { name, type, values in
            let hasDefault = random.below(2) == 0
            return ParameterDeclaration(
                name: name,
                type: type,
                isRequired: !hasDefault && random.below(2) == 0,
                defaultValue: hasDefault ? random.pick(values) : nil
            )
        }
    }

    /// Values of these parameters: all that are needed, and some that are not.
    static func values(for parameters: [ParameterDeclaration], _ random: inout SplitMix) -> [String: String] {
        var given: [String: String] = [:]
        for parameter in parameters where parameter.isRequired || random.below(2) == 0 {
            given[parameter.name] = random.pick(values.first { $0.name == parameter.name }?.values ?? [])
        }
        return given
    }
}
