import SceneManifest
import SceneRouting
import Testing

/// What is wrong with an adapter is said when the manifest is loaded.
@Suite("Adapters in a manifest")
struct AdapterProblemTests {
    static let wrong: [(adapter: String, key: String, says: String)] = [
        ("kinds: [push], url: \"{payload.url\"", "url", "'{' without '}'"),
        ("kinds: [push], url: \"a://{}\"", "url", "'' is no path in a push"),
        ("kinds: [push], url: \"{paylod.url}\"", "url", "'paylod.url' is no path in a push"),
        ("kinds: [widget, url], url: \"{payload.url}\"", "url", "no path in a widget or url"),
        ("kinds: [push], destination: \"{id}\"", "destination", "'id' is no path in a push"),
        ("kinds: [push], destination: home, parameters: { ref: \"{\" }", "parameters.ref", "'{' without '}'"),
        ("kinds: [push], destination: home, parametersFrom: userInfo", "parametersFrom", "no path"),
        ("kinds: [push], destination: home, parametersFrom: payload..x", "parametersFrom", "no path"),
        ("kinds: [push], destination: home, user: usr", "user", "'usr' is no path in a push"),
        ("kinds: [push], destination: home, when: [{ present: userInfo }]", "when[0].present", "no path"),
        ("kinds: [push], destination: home, when: [{ path: aps.x, equals: y }]", "when[0].path", "no path"),
        ("kinds: [push], destination: home, when: [{ path: aps.x, matches: y }]", "when[0].path", "no path"),
        (
            "kinds: [push], destination: home, when: [{ present: payload }, { path: payload.x, matches: \"{a}{b}\" }]",
            "when[1].matches", "nothing separates {a} from {b}"
        ),
        ("kinds: [pigeon], url: \"{payload.url}\"", "kinds[0]", "there is no kind of event 'pigeon'"),
    ]

    private func problems(_ adapter: String) -> [ManifestProblem] {
        AdapterProblemTests.problems(
            """
            name: Shop
            schemes: [shop]
            tabs: { home: home }
            destinations: { home: { tab: home, parameters: { ref: { type: string, optional: true } } } }
            adapters:
              - { name: a, \(adapter) }
            """
        )
    }

    private static func problems(_ text: String) -> [ManifestProblem] {
        AppManifest.problems(in: text).filter { $0.severity == .error }
    }

    @Test("that could never take an event, or whose template is broken, are refused with the place", arguments: wrong)
    func refuses(adapter: String, key: String, says: String) {
        let problems = problems(adapter)
        #expect(problems.map(\.key) == ["adapters[0].\(key)"], "\(problems)")
        #expect(problems.allSatisfy { $0.message.contains(says) && $0.line == 6 }, "\(problems)")
    }

    @Test(
        "that may take an event are not",
        arguments: [
            "kinds: [push], url: \"shop://{payload.a}/{payload.b.0}\"", "kinds: [widget, push], url: \"{payload.url}\"",
            "kinds: [activity], destination: \"{id}\", when: [{ path: userInfo.x, matches: \"item/{id}\" }]",
            "kinds: [push], handled: true, when: [{ path: action, oneOf: [A, B] }]",
            "kinds: [push], destination: home, user: payload.user", "kinds: [shortcut], url: shop://home",
        ]
    )
    func takes(adapter: String) {
        #expect(problems(adapter) == [])
    }
}
