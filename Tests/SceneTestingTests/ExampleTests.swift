// The example of the documentation: what an app team writes. It is compiled and run like any other test.
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneTesting
import Testing

@Suite("The shop, as its own team would test it")
struct ExampleTests {
    private let home = Destination(id: "home")
    private let tea = Destination(id: "product", parameters: ["id": "p1004"])
    private let cart = Destination(id: "cart")
    private let login = ModalState(flow: "auth", style: .sheet, stack: [Destination(id: "login")])

    @Test("a link shows the product over home")
    func link() async throws {
        try await withApp(.builtInShop()) { app in
            let window = try await app.connect()
            let receipt = try await window.open("https://shop.example/product/p1004")
            #expect(receipt.outcome == .applied)
            window.expect(ops: [.push(tab: "home", tea)])
            window.expect(stack: [home, tea])
        }
    }

    @Test("the cart asks to sign in first, and is shown when that is done")
    func gate() async throws {
        try await withApp(.builtInShop()) { app in
            let window = try await app.connect()
            try await window.open("qcommerce://cart")
            window.expect(ops: [.present(login)])
            window.expect(modals: [login])

            try await window.report("loginCompleted", ["user": "mina"])
            window.expect(ops: [.dismissModals(keeping: 0), .push(tab: "home", cart)])
            window.expect { expected in
                expected.modals = []
                expected.tabs[0].stack.append(cart)
            }
        }
    }

    @Test("a screen reports what happened, and the app decides what follows")
    func screenReports() async throws {
        try await withApp(.builtInShop(), exhaustivity: .off) { app in
            let window = try await app.connect()
            let screen = try #require(window.topScreen)
            #expect(screen.destination == home)
            try screen.report(Intent(name: "productSelected", parameters: ["id": "p1004"]))
            await app.settle()
            window.expect(stack: [home, tea])
            #expect(window.topScreen?.destination == tea)
        }
    }
}
