import Foundation
import SceneClient
import SceneManifest
import StrictJSON
import Subprocess
import TestFixtures
import Testing

@Suite("scenectl on files, without a daemon", .timeLimit(.minutes(15)))
struct ScenectlFilesTests {
    private static func scenectl(_ arguments: [String], input: String = "") async throws -> Program.Outcome {
        try await Program.run(Command.built("scenectl"), arguments, input: input)
    }

    /// Vectors checked against Apple's own tool; their README says where they come from.
    static let vectors = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "SceneRoutingTests/Vectors/association-match.jsonl")

    @Test("association check --batch answers each vector with one line, as Apple's tool would")
    func batch() async throws {
        let lines = try String(contentsOf: Self.vectors, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines.count == 116)
        let outcome = try await Self.scenectl(
            ["association", "check", "--batch"],
            input: lines.joined(separator: "\n")
        )
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        let answers = outcome.output.split(separator: "\n")
        #expect(answers.count == lines.count)
        for (line, answer) in zip(lines, answers) {
            let expected = try JSONValue(parsing: line)["expect"]?.stringValue.map { $0 == "no_match" ? "noMatch" : $0 }
            #expect(try JSONValue(parsing: String(answer)) == ["decision": .string(expected ?? "")], "\(line)")
        }
    }

    @Test("association check explains, and says which line of a batch is wrong")
    func check() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/aasa"
        try #"{"applinks":{"details":[{"appID":"T.a","components":[{"/":"/help/*","exclude":true},{"/":"/buy/*"}]}]}}"#
            .write(toFile: file, atomically: true, encoding: .utf8)
        let arguments = ["association", "check", "--file", file, "--domain", "x.example", "--app", "T.a"]
        let urls = [
            "https://x.example/buy/1", "https://x.example/help/1", "https://x.example/", "https://y.example/buy/1",
        ]
        let outcome = try await Self.scenectl(arguments + ["--json"] + urls)
        let decisions = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: String($0))["decision"] }
        #expect(decisions == ["match", "exclude", "noMatch", "noMatch"])
        let explained = try await Self.scenectl(arguments + ["--explain", urls[1]])
        #expect(explained.output.contains("✓") && explained.output.contains("excludes"))

        let bad = try await Self.scenectl(["association", "check", "--batch"], input: "\n{\"url\": 1}\n")
        #expect(bad.status == .exited(2))
        #expect(bad.errors.contains("line 2: expected the members aasa, domain, appId and url"))
        #expect(try await Self.scenectl(["association", "check"]).status == .exited(2))
    }

    @Test("association lint exits 0 for a valid file and 1 for errors, with place and code")
    func lint() async throws {
        let bad = try await Self.scenectl(
            ["association", "lint", "-"],
            input: #"{"applinks":{"details":[{"components":[{"/":"/*"}]}]}}"#
        )
        #expect(bad.status == .exited(1))
        #expect(bad.output.contains("standard input:1:25: error: applinks.details[0]: names no app"))
        #expect(bad.output.contains("[no-app-id]"))
        let good = try await Self.scenectl(
            ["association", "lint", "--json", "-"],
            input: #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.a"],"components":[{"/":"/buy/*"}]}]}}"#
        )
        #expect(good.status == .exited(0))
        #expect(try JSONValue(parsing: good.output) == ["diagnostics": []])
        #expect(try await Self.scenectl(["association", "lint", "/nowhere"]).status == .exited(2))
    }

    @Test("app examples lists the apps that ship; app print prints each, and says what there is instead of another")
    func examples() async throws {
        let list = try await Self.scenectl(["app", "examples", "--json"])
        let names = try JSONValue(parsing: list.output).arrayValue?.compactMap { $0["name"]?.stringValue }
        #expect(names == ExampleApp.allCases.map(\.rawValue))
        for example in ExampleApp.allCases {
            let name = example.rawValue
            #expect(try await Self.scenectl(["app", "examples"]).output.contains("\(name)\n    \(example.summary)\n"))
            let printed = try await Self.scenectl(["app", "print", name])
            #expect(printed.status == .exited(0) && printed.output == example.text)
        }
        let unknown = try await Self.scenectl(["app", "print", "bnak"])
        #expect(
            unknown.status == .exited(2) && unknown.errors.contains(ExampleApp.unknown("bnak")),
            "\(unknown.errors)"
        )
    }

    @Test(
        "an example's name stands for its manifest; a name that is neither an example nor a file is told what there is"
    )
    func exampleForFile() async throws {
        let event = #"{"aps": {"alert": "A payment"}, "account": "a7"}"#
        let tried = try await Self.scenectl(
            ["adapter", "try", "--event", "-", "--app", "bank", "--json"],
            input: event
        )
        #expect(tried.status == .exited(0) && tried.output.contains("push-account"), "\(tried.output) \(tried.errors)")
        let unknown = try await Self.scenectl(["adapter", "try", "--event", "-", "--app", "bnak"], input: event)
        #expect(unknown.status == .exited(2) && unknown.errors.contains("Did you mean 'bank'?"), "\(unknown.errors)")
        let daemon = try await Program.run(Command.built("scened"), ["--app", "bnak", "--socket", "/tmp/unused"])
        #expect(daemon.status != .exited(0) && daemon.errors.contains("Did you mean 'bank'?"), "\(daemon.errors)")
    }

    @Test("app validate accepts what app print prints; a broken manifest is refused with the place")
    func app() async throws {
        let printed = try await Self.scenectl(["app", "print"])
        #expect(printed.status == .exited(0))
        let good = try await Self.scenectl(["app", "validate", "--strict", "-"], input: printed.output)
        #expect(good.status == .exited(0), "\(good.output)")
        let spoilt = printed.output.replacing("ancestry: [home, cart]", with: "ancestry: [home, crat]")
        #expect(spoilt != printed.output)
        let bad = try await Self.scenectl(["app", "validate", "--json", "-"], input: spoilt)
        #expect(bad.status == .exited(1))
        let problems = try JSONValue(parsing: bad.output)["problems"]?.arrayValue ?? []
        #expect(
            problems.contains {
                $0["key"] == "destinations.checkout.ancestry[1]" && $0["suggestion"] == "cart" && $0["line"] != nil
            }
        )
    }

    @Test("check exits 0 if every invariant holds, 1 on a violation, 4 if a verdict is unknown")
    func conclusions() async throws {
        try await LiveDaemon.run { daemon in
            let socket = ["--socket", daemon.socket]
            for arguments in [["connect", "A"], ["openurl", "qcommerce://product/p1", "--scene", "A"], ["quiesce"]] {
                #expect(try await Self.scenectl(arguments + socket).status == .exited(0))
            }
            let records = try await Self.scenectl(["records", "--json"] + socket).output
            let holds = try await Self.scenectl(["check", "-"], input: records)
            #expect(holds.status == .exited(0), "\(holds.output)")
            // The daemon says the same of itself, and judges by its manifest, too.
            let byDaemon = try await Self.scenectl(["check"] + socket)
            #expect(byDaemon.status == .exited(0), "\(byDaemon.output)")
            #expect(byDaemon.output.hasPrefix(holds.output) && byDaemon.output.contains("15  holds"))
            let json = try JSONValue(parsing: try await Self.scenectl(["check", "--json"] + socket).output)
            #expect(json["conclusion"] == "holds" && json["hosts"]?.arrayValue?.first?["unjudged"] == 0)
            #expect(try await Self.scenectl(["check", "--app", "shop"] + socket).status == .exited(2))
            #expect(try await Self.scenectl(["check", "--socket", "/nowhere"]).status == .exited(3))
            let swapped = records.replacing(#""ticket":1"#, with: #""ticket":2"#)
            let violated = try await Self.scenectl(["check", "-"], input: swapped)
            #expect(violated.status == .exited(1))
            #expect(violated.output.contains("VIOLATED"))
            let lines = records.split(separator: "\n")
            let hole = (lines.prefix(3) + lines.dropFirst(5)).joined(separator: "\n")
            #expect(try await Self.scenectl(["check", "-"], input: hole).status == .exited(4))
            #expect(try await Self.scenectl(["check", "/nowhere"]).status == .exited(2))
            let help = try await Self.scenectl(["check", "--help"]).output.split(whereSeparator: \.isWhitespace)
                .joined(separator: " ")
            for status in ["0 every", "1 at least one is violated", "2 usage", "4 none is violated"] {
                #expect(help.contains(status))
            }
        }
    }

    @Test("check --app judges a history by the manifests that are given")
    func agreement() async throws {
        let shop = try await Self.scenectl(["app", "print"]).output
        let directory = try TemporaryDirectory()
        func file(_ name: String, _ text: String) throws -> String {
            let path = "\(directory.path)/\(name)"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
        let right = try file("shop.yaml", shop)
        let other = try file("other.yaml", shop.replacing(#"version: "1""#, with: #"version: "2""#))
        let wrong = try file("wrong.yaml", shop.replacing("ancestry: [home, cart]", with: "ancestry: [home]"))
        let bad = try file("bad.yaml", shop.replacing("ancestry: [home, cart]", with: "ancestry: [home, trolley]"))
        try await LiveDaemon.run { daemon in
            let socket = ["--socket", daemon.socket]
            for arguments in [
                ["connect", "A"],
                ["session", "sign-in", "mina", "--facts", #"{"cart": ["p1"], "paymentMethod": "card"}"#],
                ["openurl", "qcommerce://checkout", "--scene", "A"], ["quiesce"],
            ] {
                #expect(try await Self.scenectl(arguments + socket).status == .exited(0), "\(arguments)")
            }
            let records = try await Self.scenectl(["records", "--json"] + socket).output
            let shown = try file("shown.json", try await Self.scenectl(["app", "show"] + socket).output)
            for (files, status, text) in [
                ([right], 0, "15  holds"), ([other, right], 0, "15  holds"), ([shown], 0, "15  holds"),
                ([other], 4, "the manifest given of Shop 2"),
                // Of the same name and version, but not the one that was in force.
                ([wrong], 4, "the manifest given of Shop 1"), ([wrong, right], 0, "15  holds"),
                ([bad], 2, "trolley"), (["/nowhere"], 2, "/nowhere"),
            ] as [([String], Int32, String)] {
                let check = try await Self.scenectl(["check", "-"] + files.flatMap { ["--app", $0] }, input: records)
                #expect(check.status == .exited(status), "\(files): \(check)")
                #expect("\(check)".contains(text), "\(files): \(check)")
            }
        }
    }

    @Test("check says unknown if its budget is exceeded, unless there was a violation before")
    func budget() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B", "C", "D"] { _ = try await client.connect(scene: scene) }
            _ = try await client.openURL("qcommerce://product/p1", .init(scene: "A"))
            try await client.quiesce(timeout: .seconds(120))
            let records = try await Self.scenectl(["records", "--json", "--socket", daemon.socket]).output
            let enough = try await Self.scenectl(["check", "--budget", "100", "-"], input: records)
            #expect(enough.status == .exited(0), "\(enough.output)")
            let tooLittle = try await Self.scenectl(["check", "--budget", "2", "-"], input: records)
            #expect(tooLittle.status == .exited(4), "\(tooLittle.output)")
            #expect(tooLittle.output.contains("unknown   "))
            #expect(tooLittle.output.contains("more than 2 events and scenes were open at record"))
            let json = try await Self.scenectl(["check", "--budget", "2", "--json", "-"], input: records)
            #expect(json.status == .exited(4))
            let report = try JSONValue(parsing: json.output)
            #expect(report["conclusion"] == "unknown")
            let verdicts = report["hosts"]?[0]?["invariants"]?.arrayValue?.map { $0["verdict"] } ?? []
            #expect(verdicts.count > 1 && verdicts.contains("unknown") && !verdicts.contains("violated"))
            // A violation is found, whatever follows.
            var lines = records.split(separator: "\n").map(String.init)
            let connected = try #require(lines.firstIndex { $0.contains(#""kind":"scene.connected""#) })
            lines[connected] = lines[connected].replacing(#""revision":0"#, with: #""revision":7"#)
            let swapped = lines.joined(separator: "\n")
            let violated = try await Self.scenectl(["check", "--budget", "2", "-"], input: swapped)
            #expect(violated.status == .exited(1), "\(violated.output)")
            for budget in ["0", "-1", "much"] {
                let refused = try await Self.scenectl(["check", "--budget=\(budget)", "-"], input: records)
                #expect(refused.status == .exited(2))
                #expect(refused.errors.contains(budget))
            }
        }
    }

    @Test("a point that does not exist is wrong usage, and the message lists those that do")
    func wrongPoint() async throws {
        for arguments in [["hold", "nowhere"], ["hold", "planned", "--kind", "nothing"]] {
            let outcome = try await Self.scenectl(arguments)
            #expect(outcome.status == .exited(2))
            #expect(outcome.errors.contains("expected one of"))
        }
    }

    @Test("asks the engine, reloads, shows status and metrics, holds while a command runs")
    func daemonVerbs() async throws {
        try await LiveDaemon.run { daemon in
            let socket = ["--socket", daemon.socket]
            let resolved = try await Self.scenectl(["resolve", "https://shop.example/cart"] + socket)
            #expect(resolved.output == "gated on signedIn (flow auth), then  home › cart\n")
            let asAnna = try await Self.scenectl(["resolve", "--user", "anna", "https://shop.example/cart"] + socket)
            #expect(asAnna.output == "proceed  home › cart\n")
            let explained = try await Self.scenectl(["resolve", "--explain", "https://shop.example/cart"] + socket)
            #expect(explained.output.contains("✓ route        /cart"))
            let unknown = try await Self.scenectl(["resolve", "qcommerce://nowhere"] + socket)
            #expect(unknown.status == .exited(1))
            #expect(unknown.errors.contains("No route of the app takes qcommerce://nowhere"))
            for url in ["qcommerce:product/p7", "qcommerce:/product/p7"] {
                let resolved = try await Self.scenectl(["resolve", url] + socket)
                #expect(resolved.output == "proceed  home › product(id: p7)\n")
            }
            let malformed = try await Self.scenectl(["resolve", "https:cart"] + socket)
            #expect(malformed.errors == "scenectl: Malformed: '//' must follow the scheme 'https:'.\n")
            let odd = try await Self.scenectl(["resolve", "--explain", "qcommerce:cart%"] + socket)
            #expect(odd.output.contains("malformed: the path has an incomplete percent escape"))
            #expect(!odd.output.lowercased().contains("malformed: malformed"))
            let routes = try await Self.scenectl(["routes", "--json"] + socket)
            #expect(try JSONValue(parsing: routes.output)["routes"]?.arrayValue?.count ?? 0 > 20)
            let urls = try await Self.scenectl(["urls", "product", "id=p7"] + socket)
            #expect(urls.output == "https://shop.example/product/p7\nqcommerce://product/p7\n")
            #expect(try await Self.scenectl(["urls", "product", "p7"] + socket).status == .exited(2))
            let status = try await Self.scenectl(["status", "--json"] + socket)
            #expect(try JSONValue(parsing: status.output)["app"] == "Shop")
            #expect(try await Self.scenectl(["metrics"] + socket).output.hasSuffix("# EOF\n"))
            let reloaded = try await Self.scenectl(["reload"] + socket).output
            let digest = try await daemon.client().call("io.scened.Manager.GetStatus")["manifest"]?.stringValue
            #expect(reloaded == "manifest version 1 is in force, digest \(digest ?? "")\n")

            _ = try await Self.scenectl(["connect", "A"] + socket)
            let script = """
                "$1" openurl --wait admitted --scene A qcommerce://product/p1 --socket "$2" > /dev/null
                "$1" quiesce --timeout 1ms --socket "$2" 2> /dev/null && exit 9
                "$1" release "$SCENED_HOLD" --socket "$2" && "$1" quiesce --socket "$2" && exit 7
                """
            let held = try await Self.scenectl(
                ["hold", "planned", "--scene", "A"] + socket + [
                    "--", "sh", "-c", script, "sh", Command.built("scenectl"),
                ]
                    + [daemon.socket]
            )
            #expect(held.status == .exited(7), "\(held.errors)")
            #expect(try await daemon.client().scene("A").window?.tabs.first?.stack.last?.id == "product")
        }
    }
}
