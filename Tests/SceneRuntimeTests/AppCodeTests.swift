import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import Testing

@Suite("An app's code and its manifest")
struct AppCodeTests {
    private final class Coordinator: FlowCoordinator {}

    private struct Adapter: EntryPointAdapter {
        let name: String
        func adapt(_ event: EntryEvent) -> AdapterAnswer { .declined(reason: "never") }
    }

    private static func problems(_ code: AppCode, adapters: [String] = []) -> [String] {
        do {
            let shop = try AppManifest.builtInShop()
            _ = try SceneHost(id: "test", manifest: shop, adapters: adapters.map(Adapter.init), code: code)
            return []
        } catch {
            return error.problems.map { $0.key }
        }
    }

    @Test("coordinators may be for the root, tabs and flows, and nothing else", arguments: ["root", "home", "auth"])
    func flows(name: String) {
        #expect(Self.problems(AppCode(coordinators: [name: { Coordinator() }])).isEmpty)
        #expect(Self.problems(AppCode(coordinators: [name + "s": { Coordinator() }])) == ["flows"])
    }

    @Test("destinations may be those of routes, and screens that only a flow has", arguments: ["cart", "login"])
    func destinations(name: String) {
        #expect(Self.problems(AppCode(destinations: [name])).isEmpty)
        #expect(Self.problems(AppCode(destinations: [name, name + "s"])) == ["destinations"])
    }

    @Test("adapters have names of their own")
    func adapters() throws {
        #expect(Self.problems(AppCode(), adapters: ["one", "other"]).isEmpty)
        #expect(Self.problems(AppCode(), adapters: ["one", "one"]) == ["adapters"])
        let declared = try #require(try AppManifest.builtInShop().adapters.first).name
        #expect(Self.problems(AppCode(), adapters: [declared]) == ["adapters"])
    }

    @Test("types in Swift have to be written from the manifest, at the start and at each reload")
    func routes() async throws {
        let shop = try AppManifest.builtInShop()
        let routes = WrittenRoutes(
            "Shop",
            from: "shop.yaml",
            DeclaredRoute.all(in: shop).map { ($0.name, $0.form) }
        )
        #expect(Self.problems(AppCode(routes: routes)).isEmpty)
        let lacking = WrittenRoutes(
            "Shop",
            from: "shop.yaml",
            DeclaredRoute.all(in: shop).filter { $0.name != "destination cart" }.map { ($0.name, $0.form) }
        )
        #expect(Self.problems(AppCode(routes: lacking)) == ["destinations"])
        #expect(Self.problems(AppCode(coordinators: [:], routes: lacking)) == ["destinations"])
        let host = try SceneHost(id: "test", manifest: shop, code: AppCode(routes: routes))
        var larger = shop
        larger.facts.append(FactDeclaration(name: "wishes", type: .strings))
        let error = await #expect(throws: ManifestProblems.self) { try await host.reload(larger) }
        #expect(error?.problems.map(\.key) == ["facts"])
        #expect(host.manifest == shop)
    }

    @Test("a manifest that does not fit is refused by a reload, and the old one stays in force")
    func reload() async throws {
        let shop = try AppManifest.builtInShop()
        let host = try SceneHost(
            id: "test",
            manifest: shop,
            code: AppCode(coordinators: ["addPayment": { Coordinator() }])
        )
        let club = try ExampleApp.club.manifest()
        await #expect(throws: ManifestProblems.self) { try await host.reload(club) }
        #expect(host.manifest == shop)
    }
}
