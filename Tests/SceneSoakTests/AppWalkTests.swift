import Foundation
import SceneManifest
import SceneRouting
import StrictJSON
import Testing

@testable import SceneSoak

@Suite("AppWalk")
struct AppWalkTests {
    /// The apps of the tests, and those that ship.
    static let apps: [String] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Apps")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return ExampleApp.allCases.map(\.rawValue)
            + files.filter { $0.hasSuffix(".yaml") }.sorted().map { "\(folder.path)/\($0)" }
    }()

    private static func manifest(_ app: String) throws -> AppManifest {
        try NamedManifest(app) { try String(contentsOfFile: $0, encoding: .utf8) }.read().manifest
    }

    /// A window that shows the root of each tab, or nothing of a flow.
    private static func scene(_ name: String, of manifest: AppManifest) -> JSONValue {
        let tabs = manifest.tabs.map { tab -> JSONValue in
            ["id": .string(tab.id), "stack": [["id": .string(tab.root), "parameters": [:]]]]
        }
        return [
            "id": .string(name),
            "window": [
                "tabs": .array(tabs), "selectedTab": .string(manifest.tabs.first?.id ?? ""), "modals": [],
                "transitioning": false,
            ],
        ]
    }

    private static func steps(_ walk: AppWalk, of manifest: AppManifest, _ count: Int = AppWalk.length) -> [SoakCall] {
        var walk = walk
        return (0..<count).map { _ in
            walk.look(at: [scene("one", of: manifest), scene("scene-1", of: manifest)])
            return walk.next()
        }
    }

    private static func steps(_ walks: RandomWalks, of manifest: AppManifest) -> [SoakCall] {
        (1...60).flatMap { steps(walks[$0], of: manifest) }
    }

    @Test("is the same for the same seed and number, and another for any other", arguments: apps)
    func seeded(app: String) throws {
        let manifest = try Self.manifest(app)
        let walks = try RandomWalks(manifest, seed: 7)
        let third = Self.steps(walks[3], of: manifest)
        #expect(third == Self.steps(try RandomWalks(manifest, seed: 7)[3], of: manifest))
        #expect(third != Self.steps(walks[4], of: manifest))
        #expect(third != Self.steps(try RandomWalks(manifest, seed: 8)[3], of: manifest))
        #expect(walks.daemonSeed(3) != walks.daemonSeed(4) && walks.daemonSeed(3) >= 0)
    }

    @Test("opens a window first, and again when none is left")
    func firstWindow() throws {
        let manifest = try Self.manifest("shop")
        var walk = try RandomWalks(manifest, seed: 7)[1]
        for _ in 0..<3 {
            walk.look(at: [])
            let call = walk.next()
            #expect(call.method == "io.scened.Scenes.Connect" && call.parameters["scene"] == "one")
        }
    }

    @Test(
        "comes to every door, asks for every place that has a link, and sends every intent of the app",
        arguments: apps
    )
    func doors(app: String) throws {
        let manifest = try Self.manifest(app)
        let calls = Self.steps(try RandomWalks(manifest, seed: 7), of: manifest)
        let methods = Set(calls.map { String($0.method.dropFirst("io.scened.".count)) })
        var expected: Set = [
            "Events.Push", "Events.Gesture", "Session.SignIn", "Session.SignOut", "Scenes.Connect", "Scenes.Disconnect",
            "Scenes.Discard", "Scenes.SetActivation", "Control.Advance",
        ]
        if !manifest.routes.isEmpty { expected.insert("Events.OpenURL") }
        if !manifest.facts.allSatisfy({ ["market", "locale"].contains($0.name) }) { expected.insert("Session.Commit") }
        let kinds = Set(manifest.adapters.flatMap(\.kinds))
        if kinds.contains("widget") { expected.insert("Events.TapWidget") }
        if kinds.contains("activity") { expected.insert("Events.ContinueActivity") }
        if kinds.contains("shortcut") { expected.insert("Events.PerformShortcut") }
        #expect(expected.subtracting(methods) == [])

        let engine = try RoutingEngine(manifest: manifest)
        let urls = calls.filter { $0.method == "io.scened.Events.OpenURL" }.compactMap {
            $0.parameters["url"]?.stringValue
        }
        let asked = Set(
            urls.compactMap { try? engine.match(url: $0, context: RoutingContext()).request.destination.id }
        )
        let samples = try ManifestSamples(manifest, seed: 7)
        let linked = try samples.links.map {
            try engine.match(url: $0, context: RoutingContext()).request.destination.id
        }
        #expect(Set(linked).subtracting(asked) == [])

        let roots = Set(manifest.tabs.prefix(1).map(\.root))
        let reportable = manifest.intents.filter { $0.screens.isEmpty || !roots.isDisjoint(with: $0.screens) }
        let sent = Set(calls.compactMap { $0.parameters["name"]?.stringValue })
        if !manifest.tabs.isEmpty { #expect(Set(reportable.map(\.name)).subtracting(sent) == []) }
    }

    @Test("gives each event an ID of its own, but sends some again as they were; and makes mistakes now and then")
    func mistakes() throws {
        let manifest = try Self.manifest("shop")
        let calls = Self.steps(try RandomWalks(manifest, seed: 7)[1], of: manifest, 2_000)
        let events = calls.filter(WalkStep.isEvent)
        let byID = Dictionary(grouping: events) { $0.parameters["event"]?.stringValue ?? "" }
        #expect(byID[""] == nil)
        #expect(byID.values.allSatisfy { Set($0).count == 1 })
        #expect((10...200).contains(byID.values.count { $0.count > 1 }))
        let engine = try RoutingEngine(manifest: manifest)
        let urls = events.compactMap { $0.parameters["url"]?.stringValue }
        let wrong = urls.count { (try? engine.match(url: $0, context: RoutingContext())) == nil }
        #expect(wrong > 0 && wrong * 2 < urls.count, "\(wrong) of \(urls.count)")
    }

    @Test("goes to the windows that the app has opened, too")
    func windows() throws {
        let manifest = try Self.manifest("shop")
        let calls = Self.steps(try RandomWalks(manifest, seed: 7)[1], of: manifest, 500)
        let scenes = Set(calls.compactMap(\.scene))
        #expect(scenes == ["one", "two", "scene-1"])
    }
}
