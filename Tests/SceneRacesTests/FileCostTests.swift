import Foundation
import Interleaving
import SceneHistory
import SceneManifest
import SceneModel
import SceneRaces
import SceneRouting
import StrictJSON
import TestFixtures
import Testing

/// Reading and checking a file costs processor time in proportion to its length, whatever is in it.
@Suite("Cost of files", .serialized, .timeLimit(.minutes(15)))
struct FileCostTests {
    /// A file that can be of any size.
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The smaller of the two sizes that are compared, in parts.
        let size: Int
        let text: @Sendable (Int) -> String

        init(_ name: String, _ size: Int, _ text: @escaping @Sendable (Int) -> String) {
            (testDescription, self.size, self.text) = (name, size, text)
        }

        /// Expects that `work` takes time in proportion to the file's length.
        func expectLinear(_ work: @escaping (String) -> Void) async {
            let excess = await LinearCost.excess(from: size) { size in
                let text = self.text(size)
                return LinearCost.time { work(text) }
            }
            guard let excess else { return }
            Issue.record("\(testDescription): \(excess)")
        }
    }

    @Test("what costs more than in proportion is told from what is only measured badly")
    func measure() async {
        func excess(_ cost: (Double) -> Double) async -> String? {
            await LinearCost.excess(from: 1_000) { .microseconds(cost(Double($0))) }
        }
        #expect(await excess { $0 * 100 } == nil)
        #expect(await excess { $0 * 10 * log2($0) } == nil)
        // The caches hold the small input only.
        #expect(await excess { $0 * ($0 > 1_000 ? 150 : 100) } == nil)
        #expect(await excess { $0 * $0 / 10 } != nil)
        #expect(await excess { $0 * 10 + $0 * $0 / 100 } != nil)
    }

    private static func lines(_ count: Int, _ line: (Int) -> String) -> String {
        (0..<count).map { line($0) + "\n" }.joined()
    }

    /// A manifest with a home and whatever else is given.
    private static func app(_ rest: String, markets: String = "[]", more: String = "") -> String {
        """
        name: App
        schemes: [app]
        markets: \(markets)
        tabs: { home: home }
        destinations:
          home: { tab: home }
        \(rest)
        \(more)
        """
    }

    private static let hostile: [Shape] = HostileText.all.flatMap { hostile in
        [
            Shape("\(hostile) as a value", 10_000) { "name: \(quoted(hostile.text($0)))\n" },
            Shape("\(hostile) as a key", 10_000) { "name: App\n\(quoted(hostile.text($0))): 1\nx: 1\n" },
            Shape("\(hostile) as a destination", 10_000) {
                "name: App\ndestinations:\n  \(quoted(hostile.text($0))): { tab: a, tab2: b, routes: [a, b, c] }\n"
            },
        ]
    }

    /// The text in quotes of YAML and JSON.
    private static func quoted(_ text: String) -> String { JSONValue.string(text).text() }

    static let manifests: [Shape] =
        [
            Shape("unknown keys", 500) { "name: App\n" + lines($0) { "key\($0): 1" } },
            Shape("unknown keys of a destination", 500) {
                app("  cart:\n" + lines($0) { "    key\($0): 1" })
            },
            Shape("destinations", 37) {
                app(
                    lines($0) {
                        "  d\($0): { ancestry: [home], routes: [\"app://d\($0)/{id}\"], parameters: { id: string } }"
                    }
                )
            },
            Shape("destinations in a chain", 37) {
                app(lines($0) { "  d\($0): { ancestry: [\($0 == 0 ? "home" : "d\($0 - 1)")] }" })
            },
            Shape("unknown ancestors", 125) { app(lines($0) { "  d\($0): { ancestry: [x\($0)] }" }) },
            Shape("routes of one destination", 75) {
                app(
                    "  d: { ancestry: [home], routes: [\((0..<$0).map { "\"app://r\($0)\"" }.joined(separator: ", "))] }"
                )
            },
            Shape("tabs", 75) {
                "name: App\ntabs:\n\(lines($0) { "  t\($0): d\($0)" })destinations:\n\(lines($0) { "  d\($0): { tab: t\($0) }" })"
            },
            Shape("facts", 250) { app("", more: "facts:\n" + lines($0) { "  f\($0): { type: string }" }) },
            Shape("preconditions", 125) {
                app(
                    "",
                    more: "flows: { auth: { screens: [login] } }\npreconditions:\n"
                        + lines($0) { "  p\($0): { holds: signedIn, flow: auth }" }
                )
            },
            Shape("conditions", 125) {
                app("", more: "conditions:\n" + lines($0) { "  c\($0): { holds: signedIn, reason: none }" })
            },
            Shape("flows", 125) { app("", more: "flows:\n" + lines($0) { "  f\($0): { screens: [s\($0)] }" }) },
            Shape("screens of a flow", 250) {
                app("", more: "flows:\n  f:\n    screens:\n" + lines($0) { "      - s\($0)" })
            },
            Shape("intents", 125) {
                app("", more: "intents:\n" + lines($0) { "  i\($0): { effects: [{ route: home }] }" })
            },
            Shape("effects with conditions", 75) {
                app(
                    "",
                    more:
                        "facts: { n: { type: integer } }\nintents:\n  i:\n    parameters: { n: { type: integer } }\n    effects:\n"
                        + lines($0) { "      - { add: n, value: \($0), when: { fact: n, less: { parameter: n } } }" }
                )
            },
            Shape("screens with parameters that are pushed, and starts", 37) {
                app(
                    "",
                    more: "flows:\n  f:\n    screens:\n      - first\n"
                        + lines($0) { "      - { id: s\($0), parameters: { n: { type: string, optional: true } } }" }
                        + "    start:\n" + lines($0) { "      - { when: signedIn, screen: s\($0) }" }
                        + "    intents:\n      i:\n        effects:\n"
                        + lines($0) { "          - { push: s\($0), parameters: { n: a } }" }
                )
            },
            Shape("effects that give much to one destination", 50) {
                app(
                    "  d: { ancestry: [home], parameters: { \((0..<$0).map { "p\($0): string" }.joined(separator: ", ")) } }",
                    more: "flows:\n  f:\n    screens: [first, d]\n    intents:\n      i:\n        effects:\n"
                        + lines($0) { "          - { push: d, parameters: { p\($0): a } }" }
                        + lines($0) { "          - { route: d, parameters: { p\($0): a } }" }
                )
            },
            Shape("adapters", 125) {
                app(
                    "",
                    more: "adapters:\n" + lines($0) { "  - { name: a\($0), kinds: [push], destination: home }" }
                )
            },
            Shape("kinds and conditions of an adapter", 250) {
                app(
                    "",
                    more:
                        "adapters:\n  - name: a\n    kinds: [\((0..<$0).map { _ in "push" }.joined(separator: ", "))]\n"
                        + "    destination: home\n    when:\n" + lines($0) { "      - { present: x\($0) }" }
                )
            },
            Shape("notification categories", 125) {
                app("", more: "notificationCategories:\n" + lines($0) { "  c\($0): { actions: { a: {} } }" })
            },
            Shape("notification actions with their intents", 75) {
                app(
                    "",
                    more: "intents:\n" + lines($0) { "  i\($0): { effects: [markStale] }" }
                        + "notificationCategories:\n  c:\n    actions:\n"
                        + lines($0) { "      a\($0): { intent: i\($0) }" }
                )
            },
            Shape("configurations", 250) {
                app("", more: "configurations:\n" + lines($0) { "  c\($0): { canActivate: true }" })
            },
            Shape("markets with defaults", 50) { size in
                let markets = (0..<size).map { "m\($0)" }.joined(separator: ", ")
                let defaults = (0..<size).map { "m\($0): x" }.joined(separator: ", ")
                return app(
                    "  d: { ancestry: [home], parameters: { id: { type: string, defaults: { \(defaults) } } } }",
                    markets: "[\(markets)]"
                )
            },
            Shape("words of a parameter", 250) {
                app(
                    "  d: { ancestry: [home], parameters: { id: { oneOf: [\((0..<$0).map { "w\($0)" }.joined(separator: ", "))] } } }"
                )
            },
            Shape("one name twice, often", 250) {
                app("", more: "facts:\n" + lines($0) { _ in "  f: { type: string }" })
            },
            Shape("anchors", 2_500) { "name: \"" + String(repeating: "-&", count: $0) + "\"\n" },
            Shape("aliases", 2_500) { "name: \"" + String(repeating: " *a", count: $0) + "\"\n" },
            Shape("escaped marks", 2_500) { "name: \"a" + String(repeating: #"\u0301\u0323"#, count: $0) + "\"\n" },
            Shape("escaped marks as keys in JSON", 2_500) {
                "{\"name\": 1, \"a" + String(repeating: #"\u0301\u0323"#, count: $0) + "\": 1}"
            },
            Shape("nesting", 5_000) { "name: " + String(repeating: "[", count: $0) },
            Shape("lines", 5_000) { "name: App" + String(repeating: "\n", count: $0) },
        ] + hostile

    @Test("a manifest", arguments: manifests)
    func manifest(shape: Shape) async {
        await shape.expectLinear { _ = AppManifest.problems(in: $0) }
    }

    static let associations: [Shape] = [
        Shape("components", 125) { size in
            #"{"applinks":{"details":[{"appIDs":["A.b"],"components":["#
                + (0..<size).map { "{\"/\":\"/p\($0)/*\"}" }.joined(separator: ",") + "]}]}}"
        },
        Shape("details", 125) { size in
            #"{"applinks":{"details":["#
                + (0..<size).map { "{\"appIDs\":[\"A.b\($0)\"],\"components\":[{\"/\":\"*\"}]}" }.joined(separator: ",")
                + "]}}"
        },
        Shape("unknown members", 250) { size in
            "{" + (0..<size).map { "\"key\($0)\":1" }.joined(separator: ",") + "}"
        },
        Shape("unknown members of a component", 250) { size in
            #"{"applinks":{"details":[{"appIDs":["A.b"],"components":[{"#
                + (0..<size).map { "\"key\($0)\":1" }.joined(separator: ",") + "}]}]}}"
        },
        Shape("variables that nobody defined", 125) { size in
            #"{"applinks":{"substitutionVariables":{"# + (0..<size).map { "\"v\($0)\":[\"a\"]" }.joined(separator: ",")
                + #"},"details":[{"appIDs":["A.b"],"components":["#
                + (0..<size).map { "{\"/\":\"/$(w\($0))\"}" }.joined(separator: ",")
                + "]}]}}"
        },
        Shape("stars", 500) { size in
            #"{"applinks":{"details":[{"appIDs":["A.b"],"components":[{"/":"/"# + String(repeating: "a*", count: size)
                + "\"}]}]}}"
        },
        Shape("combining marks", 2_500) { size in
            "{\"a" + String(repeating: "\u{301}\u{323}", count: size) + "\":1}"
        },
    ]

    @Test("an association file", arguments: associations)
    func association(shape: Shape) async {
        await shape.expectLinear { _ = AssociationFile.lint($0) }
    }

    private static func race(
        windows: String = "{ A: {} }",
        rest: String = "",
        actors: String = "  a:\n    - { sign-in: u }"
    ) -> String {
        "name: s\ndescription: d\nwindows: \(windows)\n\(rest)\nactors:\n\(actors)\nexpect:\n  session: { user: u }\n"
    }

    static let scenarios: [Shape] = [
        Shape("windows", 75) { race(windows: "{ \((0..<$0).map { "W\($0): {}" }.joined(separator: ", ")) }") },
        Shape("actors", 75) { race(actors: lines($0) { "  a\($0):\n    - { sign-in: u }" }) },
        Shape("steps", 75) {
            race(actors: "  a:\n" + lines($0) { "    - { openurl: \"qcommerce://cart\", scene: A, event: e\($0) }" })
        },
        Shape("steps of no actor", 75) {
            race(rest: "setup:\n" + lines($0) { "  - { openurl: \"x\", scene: B\($0) }" })
        },
        Shape("windows that actors open", 75) { race(actors: lines($0) { "  a\($0):\n    - { connect: B\($0) }" }) },
        Shape("reloads and links", 25) { size in
            let reloads = "  r:\n" + lines(size) { _ in "    - { reload: { without: [product] } }" }
            return race(
                actors: reloads + "  a:\n" + lines(size) { "    - { openurl: \"x\", scene: A, event: e\($0) }" }
            )
        },
        Shape("unknown verbs", 75) { race(actors: "  a:\n" + lines($0) { "    - { verb\($0): 1 }" }) },
        Shape("unknown keys", 250) { race(rest: lines($0) { "key\($0): 1" }) },
        Shape("results", 75) {
            race(actors: "  a:\n    - { sign-in: u }") + "  results:\n" + lines($0) { "    e\($0): applied" }
        },
    ]

    @Test("a scenario", arguments: scenarios)
    func scenario(shape: Shape) async {
        await shape.expectLinear { text in
            do throws(ManifestProblems) { _ = try Scenario.read(text) } catch {}
        }
    }

    static let replays: [Shape] = [
        Shape("deviations", 750) { run("deviations", (0..<$0).map { "[\($0),1]" }) },
        Shape("faults", 750) { run("faults", (0..<$0).map { "\"slow-executor \($0 + 1)\"" }) },
        Shape("deleted steps", 2_500) { run("deleted", (0..<$0).map { "\($0)" }) },
        Shape("unknown members", 750) { size in
            "{" + (0..<size).map { "\"key\($0)\":1" }.joined(separator: ",") + "}"
        },
    ]

    private static func run(_ member: String, _ values: [String]) -> String {
        var members = [
            "format": "\"interleaving-replay\"", "version": "1", "test": "\"t\"", "toolchain": "\"t\"",
            "configuration": "\"c\"",
            "mailbox": "\"fifo\"", "control": "\"full\"", "seed": "\"0x1\"", "deviations": "[]",
        ]
        members[member] = "[\(values.joined(separator: ","))]"
        return "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
    }

    @Test("a replay file", arguments: replays)
    func replay(shape: Shape) async {
        await shape.expectLinear { text in
            do throws(ReplayFileError) { _ = try ReplayFile(parsing: Array(text.utf8)) } catch {}
        }
    }

    /// A record of a history.
    private static func record(_ index: Int, _ kind: String, _ rest: String) -> String {
        #"{"host":"h","index":\#(index + 1),"kind":"\#(kind)","monotonic":\#(index),\#(rest)}"#
    }

    private static let started = record(
        0,
        "host.started",
        #""revision":0,"epoch":0,"app":"Shop","manifestVersion":"1","settings":{},"holds":{"signedIn":false}"#
    )

    private static func connected(_ index: Int, _ scene: String, screens: Int = 0) -> String {
        func stack(_ rest: String) -> String {
            let home = "{\"id\":\"home\",\"parameters\":{}\(rest)}"
            let products = (0..<screens).map { "{\"id\":\"product\",\"parameters\":{\"id\":\"p\($0)\"}\(rest)}" }
            return ([home] + products).joined(separator: ",")
        }
        let shown = stack(#","needs":[],"coordinator":"home","repeats":true"#)
        let tabs = #""tabs":[{"id":"home","stack":["# + stack("") + #"]}],"selectedTab":"home","modals":[]"#
        let subject = #""scene":"\#(scene)","revision":0,"epoch":0,"configuration":"default","restored":false"#
        return record(index, "scene.connected", subject + #","window":{"# + tabs + #","shown":["# + shown + "]}")
    }

    private static func snapshot(_ index: Int, scenes: [String]) -> String {
        let names = scenes.map { "\"\($0)\"" }.joined(separator: ",")
        return record(
            index,
            "host.snapshot",
            #""revision":0,"epoch":0,"app":"Shop","manifestVersion":"1","holds":{},"scenes":[\#(names)]"#
        )
    }

    private static func snapshot(_ index: Int, of scene: String, waiting: Int, lastTicket: Int) -> String {
        let events = (0..<waiting).map {
            #"{"ticket":\#($0 + 1),"event":"\#(scene)-e\#($0 + 1)","connection":1,"source":"external","admittedIn":0}"#
        }
        let window = #"{"tabs":[{"id":"home","stack":[]}],"selectedTab":"home","modals":[],"shown":[]}"#
        let subject = #""scene":"\#(scene)","revision":0,"epoch":0,"configuration":"default","connected":true"#
        return record(
            index,
            "scene.snapshot",
            subject + #","activation":"background","window":\#(window),"judgedIn":0,"coordinators":[],"lastTicket":"#
                + #"\#(lastTicket),"waiting":[\#(events.joined(separator: ","))],"parked":[],"gateFlows":[]"#
        )
    }

    private static func event(_ index: Int, scene: String, ticket: Int, ends: Bool) -> [String] {
        let subject = #""scene":"\#(scene)","ticket":\#(ticket),"event":"\#(scene)-e\#(ticket)""#
        var all = [
            record(
                index,
                "event.admitted",
                subject + #","connection":1,"eventKind":"url","source":"external","call":\#(index)"#
            )
        ]
        guard ends else { return all }
        all.append(record(index + 1, "dispatch.began", subject + #","attempt":1,"item":"dispatch""#))
        all.append(
            record(
                index + 2,
                "dispatch.ended",
                subject + #","attempt":1,"revision":0,"epoch":0,"outcome":"rejected","reason":"inStock""#
            )
        )
        return all
    }

    static let histories: [Shape] = [
        Shape("windows", 75) { size in
            ([started] + (0..<size).map { connected($0 + 1, "s\($0)") }).joined(separator: "\n")
        },
        Shape("screens of a window", 250) { size in started + "\n" + connected(1, "s", screens: size) },
        Shape("events", 75) { size in
            ([started, connected(1, "s")]
                + (0..<size).flatMap { event(2 + 3 * $0, scene: "s", ticket: $0 + 1, ends: true) })
                .joined(separator: "\n")
        },
        Shape("events that never end", 250) { size in
            ([started, connected(1, "s")]
                + (0..<size).flatMap { event(2 + $0, scene: "s", ticket: $0 + 1, ends: false) })
                .joined(separator: "\n")
        },
        Shape("commits", 75) { size in
            ([started]
                + (0..<size).map {
                    record(
                        $0 + 1,
                        "session.committed",
                        "\"revision\":\($0 + 1),\"epoch\":0,\"user\":\"u\($0)\",\"origin\":{},\"holds\":{}"
                    )
                }).joined(separator: "\n")
        },
        Shape("windows, each with a snapshot of its own and one of the host", 75) { size in
            ([started] + (0..<size).map { connected($0 + 1, "s\($0)") }
                + (0..<size).flatMap {
                    [
                        snapshot(size + 1 + 2 * $0, scenes: ["s0"]),
                        snapshot(size + 2 + 2 * $0, of: "s\($0)", waiting: 0, lastTicket: 0),
                    ]
                }).joined(separator: "\n")
        },
        Shape("windows, and as often quiet", 75) { size in
            ([started] + (0..<size).map { connected($0 + 1, "s\($0)") }
                + (0..<size).map { record(size + 1 + $0, "host.quiet", #""epoch":0,"revision":0"#) })
                .joined(separator: "\n")
        },
        Shape("windows, and as often a commit and quiet", 75) { size in
            ([started] + (0..<size).map { connected($0 + 1, "s\($0)") }
                + (0..<size).flatMap {
                    [
                        record(
                            size + 1 + 2 * $0,
                            "session.committed",
                            "\"revision\":\($0 + 1),\"epoch\":0,\"user\":\"u\",\"origin\":{},\"holds\":{}"
                        ),
                        record(size + 2 + 2 * $0, "host.quiet", "\"revision\":\($0 + 1),\"epoch\":0"),
                    ]
                }).joined(separator: "\n")
        },
        Shape("snapshots of many windows", 250) { size in
            started + "\n" + snapshot(1, scenes: (0..<size).map { "s\($0)" })
        },
        Shape("events that wait, and as many snapshots", 75) { size in
            ([started, connected(1, "s")]
                + (0..<size).flatMap { event(2 + $0, scene: "s", ticket: $0 + 1, ends: false) }
                + (0..<size).map { snapshot(2 + size + $0, of: "s", waiting: 1, lastTicket: size) })
                .joined(separator: "\n")
        },
        Shape("events that wait in a snapshot that is taken up", 75) { size in
            snapshot(1, scenes: ["s"]) + "\n" + snapshot(2, of: "s", waiting: size, lastTicket: size)
        },
        Shape("lines that are no records", 500) { lines($0) { _ in "{}" } },
        Shape("combining marks", 2_500) { size in
            "{\"a" + String(repeating: "\u{301}\u{323}", count: size) + "\":1}"
        },
        Shape("hosts", 75) { size in
            (0..<size).map { started.replacing("\"host\":\"h\"", with: "\"host\":\"h\($0)\"") }.joined(separator: "\n")
        },
    ]

    @Test("a history", arguments: histories)
    func history(shape: Shape) async throws {
        let shop = AppModel(try AppManifest.builtInShop())
        await shape.expectLinear { text in
            var checker = HistoryChecker(apps: [shop])
            var reader = HistoryReader()
            reader.read(text.utf8) { checker.check($0) }
            reader.finish { checker.check($0) }
            _ = checker.finish()
        }
    }
}
