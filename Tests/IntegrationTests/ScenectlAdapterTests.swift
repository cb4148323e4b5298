import Foundation
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing

@Suite("scenectl's events and its tools for adapters", .timeLimit(.minutes(15)))
struct ScenectlAdapterTests {
    private static func scenectl(_ arguments: [String], input: String = "") async throws -> Program.Outcome {
        try await Program.run(Command.built("scenectl"), arguments, input: input)
    }

    /// The samples, the subcommand that takes each, and the outcome in the built-in shop.
    static let samples: [(name: String, verb: String, outcome: String?)] = [
        ("url", "openurl", "applied"), ("link", "activity", "applied"), ("push", "push", "applied"),
        ("push-route", "push", "gated"), ("push-reply", "push", "delivered"), ("push-silent", "push", "delivered"),
        ("push-voip", "push", "delivered"), ("push-live", "push", "delivered"), ("live-activity", "activity", nil),
        ("handoff", "activity", "applied"), ("handoff-announced", "activity", "delivered"),
        ("handoff-failed", "activity", "delivered"), ("spotlight", "activity", "applied"),
        ("spotlight-query", "activity", nil), ("widget", "widget", "applied"), ("widget-info", "widget", "gated"),
        ("shortcut", "shortcut", "applied"),
    ]

    @Test("every sample can be piped into its subcommand, and is listed in the help")
    func pipesSamples() async throws {
        let help = try await Self.scenectl(["sample", "--help"])
        #expect(help.status == .exited(0))
        let shown = help.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
        try await LiveDaemon.run { daemon in
            for (name, verb, outcome) in Self.samples {
                #expect(shown.contains { $0.split(separator: " ").prefix(2).elementsEqual([name[...], verb[...]]) })
                let sample = try await Self.scenectl(["sample", name])
                #expect(sample.status == .exited(0))
                let sent = try await Self.scenectl(
                    [verb, "-", "--scene", "A", "--json", "--socket", daemon.socket],
                    input: sample.output
                )
                if name == "url" {
                    #expect(sent.status == .exited(1) && sent.errors.contains("No window 'A'"), "not connected yet")
                    _ = try await daemon.client().connect(scene: "A")
                    continue
                }
                guard let outcome else {
                    #expect(sent.status == .exited(1) && sent.errors.contains("The app does not handle"), "\(name)")
                    continue
                }
                #expect(sent.status == .exited(0), "\(name): \(sent.errors)")
                #expect(try JSONValue(parsing: sent.output)["outcome"] == .string(outcome), "\(name)")
            }
        }
        let unknown = try await Self.scenectl(["sample", "fax"])
        #expect(unknown.status == .exited(2) && unknown.errors.contains("spotlight-query"))
    }

    @Test("takes simctl's arguments, and says what is wrong with others")
    func takesSimctlWords() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/sale.apns"
        let payload = #"{"aps": {"alert": "x", "new": 1}, "url": "qcommerce://orders"}"#
        try payload.write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run { daemon in
            for scene in ["A", "B"] { _ = try await daemon.client().connect(scene: scene) }
            let cases: [(words: [String], status: Int32, says: String)] = [
                (["push", "booted", "com.example.shop", file], 0, "B #1  applied"),
                (["push", "A", "com.example.shop", "-"], 0, "A #1  applied"),
                (["push", "A", file], 0, "A #2  unchanged"),
                (["push", file, "--scene", "A"], 0, "A #3  unchanged"),
                (
                    ["push", "A", "com.example.other", file], 1,
                    #"expected "com.example.shop", found "com.example.other""#
                ),
                (["push", "A", file, "--scene", "A"], 2, "Name the window once"),
                (["push"], 2, "Missing expected argument '<file>'"),
                (["push", "a", "b", "c", "d"], 2, "at most 3 arguments"),
                (["openurl", "booted", "qcommerce://home"], 0, "applied  home"),
                (["openurl", "B", "https://shop.example/p/p1"], 0, "product(id: p1)"),
                (["openurl", "B", "qcommerce:product/p2"], 0, "product(id: p2)"),
                (["openurl", "B", "qcommerce:/product/p3"], 0, "product(id: p3)"),
                (["openurl", "B", "qcommerce:a%2"], 1, "Malformed: the path has an incomplete percent escape."),
                (["openurl", "B", "https://shop.example/help/a"], 1, "The association file excludes"),
                (["openurl", "A", "B", "qcommerce://home"], 2, "at most 2 arguments"),
                (["spotlight", "product/p1004", "--scene", "A"], 0, "product(id: p1004)"),
                (["spotlight", "--query", "tea"], 1, "The app does not handle"),
                (["spotlight"], 2, "either an item's identifier or --query"),
                (["activity", "com.example.shop.view", "--announced", "--scene", "A"], 0, "delivered"),
                (
                    ["activity", "com.example.shop.view", "--failure", "gone", "--title", "x"], 1,
                    "title: expected nothing"
                ),
            ]
            for (words, status, says) in cases {
                let outcome = try await Self.scenectl(words + ["--socket", daemon.socket], input: payload)
                #expect(outcome.status == .exited(status), "\(words): \(outcome.errors)")
                #expect(
                    (outcome.output + outcome.errors).contains(says),
                    "\(words): \(outcome.output)\(outcome.errors)"
                )
                let isWarned = status == 0 && words[0] == "push"
                #expect(outcome.errors.contains("warning: aps.new: unknown key, kept") == isWarned)
            }
        }
    }

    @Test("a trial says the same with and without a daemon")
    func tries() async throws {
        try await LiveDaemon.run { daemon in
            for (name, _, outcome) in Self.samples {
                let sample = try await Self.scenectl(["sample", name]).output
                let live = try await Self.scenectl(
                    ["adapter", "try", "--event", "-", "--json", "--socket", daemon.socket],
                    input: sample
                )
                let alone = try await Self.scenectl(
                    ["adapter", "try", "--event", "-", "--json", "--shop"],
                    input: sample
                )
                #expect(live.status == alone.status && live.status == .exited(outcome == nil ? 1 : 0), "\(name)")
                #expect(try JSONValue(parsing: live.output) == (try JSONValue(parsing: alone.output)), "\(name)")
            }
            #expect(try await daemon.records().map { $0["kind"] } == ["host.started"], "no window was touched")
        }
        let explained = try await Self.scenectl(
            ["adapter", "try", "--event", "-", "--shop", "--explain"],
            input: #"{"kind": "order-status", "userInfo": {"order": "o7"}}"#
        )
        #expect(
            explained.output == """
                ✗ widget-url           url is absent
                ✓ widget-order-status  takes the widget
                  extracted  userInfo.order = "o7"
                  request    order(id: o7)
                → gated on signedIn, then  orders › order(id: o7)

                """
        )
        let only = try await Self.scenectl(
            ["adapter", "try", "--event", "-", "--shop", "--adapter", "widget-url"],
            input: #"{"kind": "order-status", "userInfo": {"order": "o7"}}"#
        )
        #expect(only.status == .exited(1) && only.output.contains("widget-url: url is absent"))
        let unknown = try await Self.scenectl(
            ["adapter", "try", "--event", "-", "--shop", "--adapter", "nobody"],
            input: #"{"kind": "k"}"#
        )
        #expect(
            unknown.status == .exited(1) && unknown.errors.contains("No adapter 'nobody'. The adapters are push-url")
        )
    }

    @Test("a folder of fixtures shows every difference, and is tested again when a file changes")
    func testsFolders() async throws {
        let directory = try TemporaryDirectory()
        func write(_ name: String, _ text: String) throws {
            try text.write(toFile: "\(directory.path)/\(name)", atomically: true, encoding: .utf8)
        }
        let arguments = ["adapter", "test", directory.path, "--shop"]
        let nothing = try await Self.scenectl(arguments)
        #expect(nothing.status == .exited(2) && nothing.errors.contains("no fixture"))

        try write(
            "cart.yaml",
            """
            event: { aps: { alert: x }, url: "qcommerce://cart" }
            expect: { adapter: push-url, request: { url: "qcommerce://cart" }, decision: gated, precondition: signedIn }
            """
        )
        try write(
            "excluded.json",
            """
            {"event": {"url": "https://shop.example/help/x"}, "kind": "url", "expect": {"decision": "refused", \
            "error": "NotAssociated", "target": null}}
            """
        )
        let fine = try await Self.scenectl(arguments)
        #expect(fine.status == .exited(0))
        #expect(fine.output == "✓ cart.yaml\n✓ excluded.json\n2 as expected\n")

        try write("other.json", #"{"event": {"type": "t"}, "expect": {"adapter": "shortcut-cart", "passed": []}}"#)
        try write("typo.json", #"{"event": {"type": "t"}, "expects": {"adapter": "shortcut-cart"}}"#)
        let differing = try await Self.scenectl(arguments)
        #expect(differing.status == .exited(1))
        #expect(differing.output.contains(#"adapter: expected "shortcut-cart", found nothing"#))
        #expect(differing.output.contains("passed: expected [], found ["))
        #expect(
            differing.output.contains("expects: expected one of event, kind, adapter, expect; did you mean 'expect'?")
        )
        #expect(differing.output.hasSuffix("2 of 4 not as expected\n"))

        let script = """
            cd '\(directory.path)' && rm other.json typo.json
            '\(Command.built("scenectl"))' adapter test . --shop --watch > out 2>&1 &
            watcher=$!
            until grep -q '2 as expected' out; do sleep 0.02; done
            sed -i 's/push-url/push-link/' cart.yaml
            until grep -q '1 of 2 not as expected' out; do sleep 0.02; done
            kill $watcher
            grep 'push-link' out
            """
        let watched = try await Program.run("/bin/sh", ["-c", script])
        #expect(watched.output == "    adapter: expected \"push-link\", found \"push-url\"\n")
    }

    @Test("a new adapter in Python passes its test, and its fixture when it runs beside a daemon")
    func beginsInPython() async throws {
        let directory = try TemporaryDirectory()
        let new = try await Self.scenectl(
            ["adapter", "new", "campaign", "--language", "python", "--directory", directory.path]
        )
        #expect(new.status == .exited(0))
        let folder = "\(directory.path)/campaign"
        let test = try await Program.run("/bin/sh", ["-c", "cd '\(folder)' && exec /usr/bin/python3 -B -m unittest"])
        #expect(test.status == .exited(0) && test.errors.contains("Ran 3 tests"), "\(test.errors)")
        let again = try await Self.scenectl(
            ["adapter", "new", "campaign", "--language", "python", "--directory", directory.path]
        )
        #expect(again.status == .exited(2) && again.errors.contains("exists and is not empty"), "\(again.errors)")

        guard PythonEnvironment.isInstalled else { return }
        try await LiveDaemon.run { daemon in
            let script = """
                '\(PythonEnvironment.python)' -B '\(folder)/adapter.py' 'unix:\(daemon.socket)' &
                adapter=$!
                export SCENED_SOCKET='\(daemon.socket)'
                until '\(Command.built("scenectl"))' adapter list | grep -q '^campaign .*process'; do sleep 0.02; done
                '\(Command.built("scenectl"))' adapter test '\(folder)/fixtures'
                kill $adapter
                """
            let tested = try await Program.run("/bin/sh", ["-c", script])
            #expect(tested.output == "✓ campaign.yaml\n1 as expected\n", "\(tested.errors)")
        }
    }

    /// A fixture as it is written, the changes that --update says it makes, and the text after it.
    static let updates: [(name: String, before: String, says: [String], after: String)] = [
        (
            "flow.yaml",
            """
            # What the marketing team sends.
            event: { aps: { alert: x }, url: "qcommerce://cart" } # a link
            expect: { adapter: push-link, decision: proceed, precondition: signedIn } # both were guessed

            """,
            [#"adapter: expected "push-link", found "push-url""#, #"decision: expected "proceed", found "gated""#],
            """
            # What the marketing team sends.
            event: { aps: { alert: x }, url: "qcommerce://cart" } # a link
            expect: { adapter: push-url, decision: gated, precondition: signedIn } # both were guessed

            """
        ),
        (
            "block.yaml",
            """
            event:
              aps: { alert: x }
              url: "qcommerce://product/p1"
            expect:
              # the ID is the product's
              target: home › product(id: p2)
              request:
                url: 'it''s not this'   # quoted
              extracted:
                other: 1
                more: 2
              # the end
            adapter: push-url

            """
            .replacing("target: home › product(id: p2)", with: #"target: "home › product(id: p2)""#),
            [
                "target: expected home › product(id: p2), found home › product(id: p1)", "request.url: expected",
                "extracted.other: expected 1, found nothing",
            ],
            """
            event:
              aps: { alert: x }
              url: "qcommerce://product/p1"
            expect:
              # the ID is the product's
              target: "home › product(id: p1)"
              request:
                url: "qcommerce://product/p1"   # quoted
              extracted:
                other: null
                more: null
              # the end
            adapter: push-url

            """
        ),
        (
            "lists.yaml",
            """
            event: { type: t }
            expect:
              passed:
              - adapter: nobody
                reason: none
              decision: gated

            """, ["passed: expected"], ""
        ),
        (
            "é.json",
            """
            {
              "event": {"aps": {"alert": "é"}, "url": "qcommerce://cart"},
              "expect": {"request": "é", "decision": "proceed", "target": null}
            }

            """,
            [
                #"request: expected é, found qcommerce://cart"#, #"decision: expected "proceed", found "gated""#,
                "target: expected null",
            ],
            """
            {
              "event": {"aps": {"alert": "é"}, "url": "qcommerce://cart"},
              "expect": {"request": "qcommerce://cart", "decision": "gated", "target": "home › cart"}
            }

            """
        ),
        (
            "new.yaml", "event: { aps: { alert: x }, url: qcommerce://promo/SPRING }",
            ["expect: expected what the event leads to, found nothing"],
            """
            event: { aps: { alert: x }, url: qcommerce://promo/SPRING }
            expect:
              adapter: push-url
              request: "qcommerce://promo/SPRING"
              decision: proceed
              target: "home › promo(code: SPRING)"

            """
        ),
        (
            "new.json", #"{"event": {"aps": {"alert": "x"}, "url": "qcommerce://cart"}}"#, ["expect: expected what"],
            #"{"event": {"aps": {"alert": "x"}, "url": "qcommerce://cart"}, "expect": {"adapter":"push-url","request":"qcommerce://cart","decision":"gated","precondition":"signedIn","target":"home › cart"}}"#
        ),
    ]

    @Test("--update changes what differs, and nothing else of a fixture", arguments: updates)
    func changes(name: String, before: String, says: [String], after: String) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/\(name)"
        try before.write(toFile: file, atomically: true, encoding: .utf8)
        let updated = try await Self.scenectl(["adapter", "test", directory.path, "--shop", "--update"])
        for line in says { #expect(updated.output.contains("    \(line)"), "\(updated.output)") }
        let text = try String(contentsOfFile: file, encoding: .utf8)
        if after.isEmpty {
            // A list that is indented like its key cannot become a list in brackets there.
            #expect(updated.status == .exited(1) && text == before)
            #expect(
                updated.output.contains("\(name): what to expect is written in a way in which it cannot be changed")
            )
            return
        }
        #expect(updated.status == .exited(0), "\(updated.output)")
        #expect(updated.output.hasPrefix("↻ \(name)\n") && updated.output.hasSuffix("1 as expected, 1 changed\n"))
        #expect(text == after)
        let again = try await Self.scenectl(["adapter", "test", directory.path, "--shop", "--update"])
        #expect(again.output == "✓ \(name)\n1 as expected\n")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == after)
    }

    @Test("expects windows and destinations in one line, in YAML and in JSON")
    func expectsText() async throws {
        let directory = try TemporaryDirectory()
        func write(_ name: String, _ text: String) throws {
            try text.write(toFile: "\(directory.path)/\(name)", atomically: true, encoding: .utf8)
        }
        let event = #"{ "aps": { "alert": "x" }, "url": "qcommerce://product/p1" }"#
        try write(
            "fine.json",
            #"{"event": \#(event), "expect": {"target": "home > product(id: p1)", "request": "qcommerce://product/p1"}}"#
        )
        try write("fine.yaml", "event: \(event)\nexpect: { target: \"home › product( id: p1 )\" }\n")
        try write("other.yaml", "event: \(event)\nexpect: { target: home › cart }\n")
        try write("wrong.yaml", "event: \(event)\nexpect: { target: home › product(id }\n")
        let outcome = try await Self.scenectl(["adapter", "test", directory.path, "--shop"])
        #expect(
            outcome.output == """
                ✓ fine.json
                ✓ fine.yaml
                ✗ other.yaml
                    target: expected home › cart, found home › product(id: p1)
                ✗ wrong.yaml
                    target: "home › product(id" cannot be read, at character 18: found the end; expected a parameter's name \
                and ':'; found home › product(id: p1)
                2 of 4 not as expected

                """
        )
    }

    /// An adapter that ends at an event, or fails, and answers others.
    @Test(
        "a folder of fixtures is tried to its end, whatever an adapter does",
        .enabled(if: PythonEnvironment.isInstalled)
    )
    func goesOn() async throws {
        let directory = try TemporaryDirectory()
        let new = try await Self.scenectl(
            ["adapter", "new", "campaign", "--language", "python", "--directory", directory.path]
        )
        #expect(new.status == .exited(0))
        let folder = "\(directory.path)/campaign"
        let source = try String(contentsOfFile: "\(folder)/adapter.py", encoding: .utf8)
        try source.replacing(
            #"    campaign = event["payload"].get("campaign")"#,
            with: #"""
                    campaign = event["payload"].get("campaign")
                    if campaign == "fail":
                        return {"url": event["payload"]["missing"]}
                    if campaign == "end":
                        os._exit(1)
                """#
        ).write(toFile: "\(folder)/adapter.py", atomically: true, encoding: .utf8)
        for (name, code) in [("b-fail", "fail"), ("d-end", "end")] {
            try "event: { aps: { alert: x }, campaign: \(code) }\nexpect: { adapter: campaign, decision: proceed }\n"
                .write(toFile: "\(folder)/fixtures/\(name).yaml", atomically: true, encoding: .utf8)
        }
        for name in ["c-other", "e-other"] {
            try "event: { aps: { alert: x }, url: \"qcommerce://cart\" }\nexpect: { decision: gated }\n"
                .write(toFile: "\(folder)/fixtures/\(name).yaml", atomically: true, encoding: .utf8)
        }
        try await LiveDaemon.run { daemon in
            let script = """
                '\(PythonEnvironment.python)' -B '\(folder)/adapter.py' 'unix:\(daemon.socket)' 2> '\(folder)/errors' &
                export SCENED_SOCKET='\(daemon.socket)'
                until '\(Command.built("scenectl"))' adapter list | grep -q '^campaign .*process'; do sleep 0.02; done
                '\(Command.built("scenectl"))' adapter test '\(folder)/fixtures'
                """
            let tested = try await Program.run("/bin/sh", ["-c", script])
            let blocks = tested.output.split(separator: "\n").map(String.init)
            #expect(blocks.first == "✗ b-fail.yaml", "\(tested.output)\(tested.errors)")
            #expect(tested.output.contains(#"decision: expected "proceed", found "refused""#))
            #expect(blocks.contains("✓ c-other.yaml") && blocks.contains("✓ campaign.yaml"), "\(tested.output)")
            #expect(
                tested.output.contains("✗ d-end.yaml\n    the adapter 'campaign' gave no answer: "),
                "\(tested.output)"
            )
            #expect(
                tested.output.contains(
                    "✗ e-other.yaml\n    the adapter 'campaign' has ended, at d-end.yaml; start it again"
                )
            )
            #expect(blocks.last == "3 of 5 not as expected")
            #expect(try String(contentsOfFile: "\(folder)/errors", encoding: .utf8).contains("KeyError: 'missing'"))
        }
    }

    @Test("a new adapter in Swift passes its test")
    func beginsInSwift() async throws {
        let directory = try TemporaryDirectory()
        let root = URL(fileURLWithPath: ProtocolFilesTests.folder).deletingLastPathComponent().path
        let new = try await Self.scenectl(
            ["adapter", "new", "spring-offer", "--language", "swift", "--directory", directory.path, "--scened", root]
        )
        #expect(new.status == .exited(0))
        // 'swift test' would fetch and compile the package's dependencies again. Their modules are already built beside this
        // test, so the adapter is compiled against those, as another package: it sees what is public.
        let script = #"""
            set -e
            cd "$1/spring-offer" && mkdir out
            swift package dump-package > out/manifest.json
            for library in CAccess Basics SceneEntryPoints SceneRouting SceneVocabulary StrictJSON; do
                grep "/$library\.build/" "$2/scenectl.product/Objects.LinkFileList" >> out/objects
            done
            cat > out/Runner.swift << 'SWIFT'
            import Testing
            @main enum Runner { static func main() async { await Testing.__swiftPMEntryPoint() as Never } }
            SWIFT
            compile() {
                modules=$1/Modules; map=$1/CAccess.build/module.modulemap; shift
                swiftc -swift-version 6 -wmo -parse-as-library -package-name spring-offer -I "$modules" -I out \
                    -Xcc "-fmodule-map-file=$map" "$@"
            }
            compile "$2" -module-name SpringOfferAdapter -emit-module -emit-module-path out/SpringOfferAdapter.swiftmodule \
                -emit-object -o out/adapter.o Sources/*/*.swift
            compile "$2" -module-name Tests -o out/tests Tests/*/*.swift out/Runner.swift out/adapter.o @out/objects
            out/tests --testing-library swift-testing
            """#
        let test = try await Program.run("/bin/sh", ["-c", script, "sh", directory.path, Command.folder])
        #expect(test.status == .exited(0), "\(test.output.suffix(4_000))\(test.errors.suffix(4_000))")
        #expect((test.output + test.errors).contains("Test run with 3 tests in 1 suite passed"))
        let manifest = try String(contentsOfFile: "\(directory.path)/spring-offer/out/manifest.json", encoding: .utf8)
        let product = try String(contentsOfFile: "\(root)/Package.swift", encoding: .utf8)
            .firstMatch(of: #/\.library\(\s*name: "SceneEntryPoints",[^\]]*\]/#)?.output
        #expect(manifest.contains(#""SceneEntryPoints""#) && manifest.contains(root))
        #expect(product?.contains(#""SceneRouting""#) == true, "the adapter imports it from the product")
    }
}
