import SceneNavigation
import SceneRouting
import Basics
import Testing

@Suite("Differences between windows")
struct WindowDifferenceTests {
    private func differences(_ edit: (inout WindowState) -> Void) -> [String] {
        var expected = shop(home: ["home", "product:p1"])
        expected.modals = [ModalState(flow: "checkout", style: .fullScreen, stack: [place("checkout")])]
        var actual = expected
        edit(&actual)
        return WindowDifference.between(expected: expected, actual: actual).map(\.description)
    }

    @Test("each container names its own differences")
    func namesDifferences() {
        #expect(differences { _ in } == [])
        #expect(differences { $0.selectedTab = "orders" } == ["selected tab: expected home, found orders"])
        #expect(
            differences { $0.tabs[0].stack = places(["home", "product:p2", "cart"]) } == [
                "tab home, depth 1: expected product(id: p1), found product(id: p2)",
                "tab home, depth 2: expected nothing, found cart",
            ]
        )
        #expect(
            differences { $0.tabs[0].stack = [place("home")] }
                == ["tab home, depth 1: expected product(id: p1), found nothing"]
        )
        #expect(
            differences { $0.modals = [] } == ["presentation 0: expected fullScreen checkout[checkout], found nothing"]
        )
        #expect(
            differences { $0.modals[0].style = .sheet }
                == ["presentation 0: expected fullScreen checkout[checkout], found sheet checkout[checkout]"]
        )
        #expect(
            differences { $0.modals[0].stack.append(place("receipt")) }
                == ["presentation 0, depth 1: expected nothing, found receipt"]
        )
        #expect(
            differences { $0.modals.append(ModalState(flow: nil, style: .alert, stack: [place("sure")])) }
                == ["presentation 1: expected nothing, found alert [sure]"]
        )
        #expect(
            differences { $0.tabs.swapAt(0, 1) }
                == ["tabs: expected home, orders, account, found orders, home, account"]
        )
        #expect(
            differences { $0.tabs.remove(at: 2) } == ["tabs: expected home, orders, account, found home, orders"]
        )
    }

    @Test("there is a difference exactly if the windows are not equal", arguments: 0..<150)
    func exact(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let one = randomWindow(using: &random)
        var other = Bool.random(using: &random) ? one : randomWindow(using: &random)
        if Bool.random(using: &random) { other.tabs.shuffle(using: &random) }
        #expect(WindowDifference.between(expected: one, actual: other).isEmpty == (one == other))
        #expect(WindowDifference.between(expected: one, actual: one).isEmpty)
    }

    @Test("a window in one line shows what is selected and what is presented")
    func oneLine() {
        var window = shop(home: ["home", "product:p1"])
        window.modals = [ModalState(flow: "auth", style: .sheet, stack: places(["login", "welcome"]))]
        #expect(
            window.description
                == "*home: home › product(id: p1) › sheet auth[login › welcome] | orders: orders | account: account"
        )
    }
}
