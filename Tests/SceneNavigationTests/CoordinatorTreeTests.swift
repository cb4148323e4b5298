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
            tree.update(for: presenting("auth")) == [
                .detached(flow: "auth", parent: "home"), .attached(flow: "shopping", parent: "root"),
                .attached(flow: "auth", parent: "shopping", inSwift: true),
                .detached(flow: "home", parent: "root"),
            ]
        )
        #expect(tree.node("auth")?.coordinator === auth)
        #expect(tree.owners == ["shopping", "orders", "account", "auth"])
        #expect(tree.update(for: presenting("auth")).isEmpty)
        #expect(tree.leaks(holders: { [] }).isEmpty)
    }

    @Test("whatever a window shows next, each coordinator is where it would be made, and kept while its flow is shown")
    func moves() {
        let ids = ["home", "list", "cart", "form", "note"]
        let declared: @Sendable (Destination) -> String? = { ["list": "search", "cart": "shopping"][$0.id] }
        let flows = ["search", "shopping", "auth", nil]
        for seed in 0..<300 as Range<UInt64> {
            var random = SplitMix(seed: seed)
            let tree = CoordinatorTree(declaredFlow: declared)
            // By the changes alone, as the checker has them.
            var parents: [String: String] = [:]
            var moved = false
            for _ in 0..<20 {
                func stack() -> [Destination] {
                    places((0...random.below(3)).map { _ in random.pick(ids) })
                }
                var window = shop()
                for tab in window.tabs.indices { window.tabs[tab].stack = stack() }
                window.selectedTab = random.pick(window.tabs).id
                window.modals = (0..<random.below(4)).map { _ in
                    ModalState(flow: random.pick(flows), style: .sheet, stack: stack())
                }
                let before = tree.all
                let changes = tree.update(for: window)
                for change in changes {
                    switch change {
                    case .attached(let flow, let parent, _):
                        #expect(parents.updateValue(parent, forKey: flow) == nil)
                        #expect(parent == "root" || parents[parent] != nil)
                    case .detached(let flow, let parent):
                        #expect(parents.removeValue(forKey: flow) == parent)
                        parents = parents.mapValues { $0 == flow ? parent : $0 }
                    }
                }
                let fresh = CoordinatorTree(declaredFlow: declared)
                _ = fresh.update(for: window)
                let due = Dictionary(fresh.edges.map { ($0.flow, $0.parent) }) { first, _ in first }
                #expect(parents == due, "seed \(seed)")
                #expect(tree.edges.allSatisfy { due[$0.flow] == $0.parent } && tree.edges.count == due.count)
                #expect(tree.owners == fresh.owner(ofEachIn: window))
                for (flow, coordinator) in before where tree.node(flow) != nil {
                    #expect(tree.node(flow)?.coordinator === coordinator)
                }
                for case .detached(let flow, _) in changes where due[flow] != nil { moved = true }
            }
            #expect(moved)
            #expect(tree.leaks(holders: { [] }).isEmpty)
        }
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
