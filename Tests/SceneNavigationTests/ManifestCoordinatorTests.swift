import SceneNavigation
import SceneRouting
import Testing

@Suite("A flow that follows the manifest asks for what its effects say")
struct ManifestCoordinatorTests {
    static let moves: [(IntentEffect, FlowCommand)] = [
        (.push(screen: "second"), .push(Destination(id: "second"))),
        (.push(screen: "second", animated: false), .push(Destination(id: "second"), animated: false)),
        (.replace(screen: "second"), .replace(Destination(id: "second"))),
        (.replace(screen: "second", animated: false), .replace(Destination(id: "second"), animated: false)),
        (.pop(), .pop()), (.pop(count: 3, animated: false), .pop(3, animated: false)),
        (.popTo(screen: "first"), .popTo(screen: "first")),
        (.popTo(screen: "first", animated: false), .popTo(screen: "first", animated: false)),
        (.popToRoot(), .popToRoot()), (.popToRoot(animated: false), .popToRoot(animated: false)),
        (.when(.not(.signedIn), .popToRoot()), .popToRoot()),
    ]

    static let handedOn: [(waiting: Destination?, parameters: [String: String])] = [
        (nil, ["kind": "new"]), (Destination(id: "home"), ["kind": "new"]),
        (Destination(id: "home", parameters: ["id": "7", "kind": "old", "more": "x"]), ["id": "7", "kind": "old"]),
        (Destination(id: "home", parameters: ["id": "007"]), ["id": "7", "kind": "new"]),
        (Destination(id: "home", parameters: ["id": "seven", "kind": "other"]), ["kind": "new"]),
        (Destination(id: "home", parameters: ["id": "10"]), ["kind": "new"]),
    ]

    @Test("and starts with what waits for it has of what its first screen declares", arguments: handedOn)
    func starts(waiting: Destination?, parameters: [String: String]) throws {
        var manifest = AppManifest(name: "App")
        manifest.tabs = [TabDeclaration(id: "home", root: "home")]
        manifest.destinations = [DestinationDeclaration(id: "home", presentation: .tab("home"))]
        let screen = FlowScreen(
            id: "first",
            parameters: [
                ParameterDeclaration(name: "id", type: .integer(minimum: 1, maximum: 9), isRequired: false),
                ParameterDeclaration(name: "kind", type: .oneOf(["new", "old"]), defaultValue: "new"),
            ]
        )
        manifest.flows = [FlowDeclaration(name: "flow", screens: [screen])]
        let context = FlowContext(
            session: RoutingContext(),
            screens: [],
            engine: try RoutingEngine(manifest: manifest),
            waiting: waiting
        )
        let start = ManifestCoordinator(flow: "flow").start(context: context)
        #expect(start == [Destination(id: "first", parameters: parameters)])
    }

    @Test("as a move, animated or not", arguments: moves)
    func asks(effect: IntentEffect, command: FlowCommand) throws {
        var manifest = AppManifest(name: "App")
        manifest.tabs = [TabDeclaration(id: "home", root: "home")]
        manifest.destinations = [DestinationDeclaration(id: "home", presentation: .tab("home"))]
        manifest.flows = [
            FlowDeclaration(
                name: "flow",
                screens: [FlowScreen(id: "first"), FlowScreen(id: "second")],
                intents: [IntentDeclaration(name: "go", effects: [effect])]
            )
        ]
        let context = FlowContext(
            session: RoutingContext(),
            screens: [Destination(id: "first")],
            engine: try RoutingEngine(manifest: manifest)
        )
        let coordinator = ManifestCoordinator(flow: "flow")
        let commands = try coordinator.handle(Intent(name: "go"), from: Destination(id: "first"), context: context)
        #expect(commands == [command])
    }
}
