import SceneManifest
import SceneRouting
import Testing

@Suite("Printing")
struct PrintingTests {
    /// A random value of a type, not always in canonical form.
    static func value(_ type: ParameterType, _ app: inout RandomApp) -> String {
        switch type {
        case .string:
            app.pick([
                "plain", "a b", "a/b", "50%", "é", "e\u{301}", "%2F", "a?b#c&d=e", "..", ".", "漢字", "+1", "\u{1F600}",
                "a-b",
                "-", "a\nb",
            ])
        case .integer(let minimum, let maximum):
            String(Int.random(in: (minimum ?? -9)...(maximum ?? 9), using: &app.generator))
        case .uuid: app.pick(["8f14e45f-ceea-467f-a0e6-3f3c5b7a1c2d", "8F14E45F-CEEA-467F-A0E6-3F3C5B7A1C2D"])
        case .date: app.pick(["2026-11-27", "2026-11-27T08:30Z", "2026-11-27T08:30:59Z", "0001-01-01", "9999-12-31"])
        case .oneOf(let words): app.pick(words)
        case .pattern(let source):
            switch source {
            case "p[0-9]{1,9}": app.pick(["p1", "p123456789"])
            case "o[0-9]{1,9}": app.pick(["o1", "o42"])
            case "[a-z0-9-]{1,40}": app.pick(["tea", "fresh-fruit-2", "-"])
            case "[A-Z0-9]{4,12}": app.pick(["SUMMER26", "ABCD"])
            case "[a-z]{1,3}": app.pick(["a", "abc"])
            case "(ab)+|b*c": app.pick(["abab", "bbc", "c"])
            default: app.pick(["é-4", "abc-1"])
            }
        case .list(let element): value(element, &app)
        }
    }

    @Test("is undone by resolving, for every destination of the shop", arguments: 1...20 as ClosedRange<UInt64>)
    func shop(seed: UInt64) throws {
        let engine = try RoutingEngine(manifest: AppManifest.builtInShop())
        var app = RandomApp(seed: seed)
        for declaration in engine.manifest.destinations {
            var parameters: [String: String] = [:]
            for parameter in declaration.parameters where parameter.isRequired || app.chance(60) {
                parameters[parameter.name] = Self.value(parameter.type, &app)
            }
            let destination = Destination(id: declaration.id, parameters: parameters)
            let context = app.context()
            let request = try engine.request(for: destination, source: .external)
            let urls = engine.urls(for: destination, context: context)
            #expect(!urls.isEmpty, "\(destination) prints nothing")
            for url in urls {
                #expect(try engine.match(url: url, context: context).request == request, "\(url)")
            }
        }
    }

    @Test("is undone by resolving, for random apps", arguments: 1...40 as ClosedRange<UInt64>)
    func randomApps(seed: UInt64) throws {
        var app = RandomApp(seed: seed)
        let engine = try RoutingEngine(manifest: app.manifest(routes: 30))
        var printed = 0
        for declaration in engine.manifest.destinations {
            var parameters: [String: String] = [:]
            for parameter in declaration.parameters where parameter.isRequired || app.chance(50) {
                parameters[parameter.name] = Self.value(parameter.type, &app)
            }
            let context = app.context()
            let request = try engine.request(
                for: Destination(id: declaration.id, parameters: parameters),
                source: .external
            )
            for url in engine.urls(for: request.destination, context: context) {
                printed += 1
                #expect(try engine.match(url: url, context: context).request == request, "\(url)")
            }
        }
        #expect(printed > 3)
    }
}
