import Basics
import SceneNavigation
import SceneRouting
import Testing

@Suite("The coordinator tree follows the window")
struct CoordinatorTreeTests {
    private final class Asked: FlowCoordinator {}

    private func tree(_ make: @escaping @Sendable (String) -> (any FlowCoordinator)?) -> CoordinatorTree {
        CoordinatorTree(declaredFlow: { _ in nil }, factory: { flow, _ in make(flow) })
    }

    private func presenting(_ flow: String) -> WindowState {
        var window = shop(home: ["home"])
        window.modals = [ModalState(flow: flow, style: .sheet, stack: places(["login"]))]
        return window
    }

    @Test("a flow is attached with its first screen and detached with its last, children before parents")
    func attachesAndDetaches() {
        let tree = CoordinatorTree(declaredFlow: { $0.id == "checkout" ? "checkout" : nil })
        #expect(
            tree.update(for: shop())
                == ["home", "orders", "account"].map { .attached(flow: $0, parent: "root") }
        )
        var window = shop(home: ["home", "cart"])
        window.modals = [
            ModalState(flow: "checkout", style: .fullScreen, stack: [place("checkout")]),
            ModalState(flow: "auth", style: .sheet, stack: [place("login")]),
        ]
        #expect(
            tree.update(for: window)
                == [.attached(flow: "checkout", parent: "home"), .attached(flow: "auth", parent: "checkout")]
        )
        #expect(tree.owner(ofEachIn: window) == ["home", "home", "orders", "account", "checkout", "auth"])
        #expect(tree.update(for: window).isEmpty)
        #expect(
            tree.update(for: shop())
                == [.detached(flow: "auth", parent: "checkout"), .detached(flow: "checkout", parent: "home")]
        )
        #expect(tree.flows == ["home", "orders", "account"])
    }

    @Test("by another manifest, too: who keeps its flow under another parent moves there, and is not made anew")
    func follows() {
        let declared = Guarded<[String: String]>([:])
        let tree = CoordinatorTree(
            declaredFlow: { destination in declared.withLock { $0[destination.id] } },
            factory: { flow, _ in flow == "auth" ? Asked() : nil }
        )
        _ = tree.update(for: presenting("auth"))
        let auth = tree.node("auth")?.coordinator
        declared.withLock { $0 = ["home": "shopping"] }
        #expect(
            tree.follow(presenting("auth")) == [
                .detached(flow: "auth", parent: "home"), .detached(flow: "home", parent: "root"),
                .attached(flow: "shopping", parent: "root"),
                .attached(flow: "auth", parent: "shopping", inSwift: true),
            ]
        )
        #expect(tree.node("auth")?.coordinator === auth)
        #expect(tree.owners == ["shopping", "orders", "account", "auth"])
        #expect(tree.follow(presenting("auth")).isEmpty)
        #expect(tree.leaks(holders: { [] }).isEmpty)
    }

    @Test("what is renewed has another coordinator, and the one before leaks if somebody keeps it")
    func renews() {
        let tree = tree { $0 == "auth" ? Asked() : nil }
        _ = tree.update(for: presenting("auth"))
        let flows = tree.flows
        let before = tree.node("auth")?.coordinator
        let renewed = tree.renew(for: presenting("auth"))
        #expect(renewed.first == .detached(flow: "auth", parent: "home"))
        #expect(renewed.count == flows.count)
        #expect(tree.update(for: presenting("auth")).count == flows.count)
        #expect(tree.flows == flows)
        #expect(tree.node("auth")?.coordinator !== before)
        #expect(tree.leaks(holders: { [] }).map(\.name) == ["coordinator auth"])
    }

    @Test("who was asked how a flow starts is its coordinator when it is shown")
    func shown() {
        let tree = tree { $0 == "auth" ? Asked() : nil }
        _ = tree.update(for: shop(home: ["home"]))
        let asked = tree.coordinator(of: "auth", startedFrom: shop(home: ["home"]))
        #expect(tree.coordinator(of: "auth", startedFrom: nil) === asked, "asked again")
        _ = tree.update(for: presenting("auth"))
        #expect(tree.node("auth")?.coordinator === asked)
        tree.forgetStarting()
        #expect(tree.node("auth")?.coordinator === asked)
        #expect(!tree.expectsLeaks)
    }

    @Test("who was asked how a flow starts that is not shown after all is released, and leaks if somebody keeps it")
    func notShown() {
        let tree = tree { $0 == "auth" ? Asked() : nil }
        _ = tree.update(for: shop(home: ["home"]))
        weak let released = tree.coordinator(of: "auth", startedFrom: nil)
        #expect(released != nil)
        tree.forgetStarting()
        #expect(released == nil)
        #expect(tree.leaks(holders: { [] }).isEmpty)
        let kept = tree.coordinator(of: "auth", startedFrom: nil)
        tree.forgetStarting()
        #expect(tree.leaks(holders: { [] }).map(\.name) == ["coordinator auth"])
        #expect(tree.coordinator(of: "auth", startedFrom: nil) !== kept)
    }
}
