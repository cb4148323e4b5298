import SceneClient
import StrictJSON
import TestFixtures
import Testing
import Varlink

@Suite("io.scened.Routing on the live daemon", .timeLimit(.minutes(15)))
struct RoutingTests {
    @Test("resolves a URL by the session, or as if it were another")
    func resolves() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            let cart: JSONObject = ["url": "https://shop.example/cart"]
            let gated = try await client.call("io.scened.Routing.Resolve", cart)
            #expect(gated["resolution"]?["verdict"] == "gated")
            #expect(gated["resolution"]?["precondition"] == "signedIn")
            #expect(gated["resolution"]?["flow"] == "auth")
            #expect(gated["resolution"]?["target"]?["path"]?[1]?["id"] == "cart")

            let asAnna = try await client.call(
                "io.scened.Routing.Resolve",
                [
                    "url": "https://shop.example/checkout", "user": "anna",
                    "facts": ["cart": ["p1"], "paymentMethod": "card"],
                ]
            )
            #expect(asAnna["resolution"]?["verdict"] == "proceed")
            #expect(asAnna["resolution"]?["target"]?["modal"]?[0]?["id"] == "checkout")

            _ = try await client.call("io.scened.Session.SignIn", ["user": "anna"])
            #expect(try await client.call("io.scened.Routing.Resolve", cart)["resolution"]?["verdict"] == "proceed")
            var asNobody = cart
            asNobody["user"] = ""
            let nobody = try await client.call("io.scened.Routing.Resolve", asNobody)
            #expect(nobody["resolution"]?["verdict"] == "gated")
            // Resolving touches no window and commits nothing.
            #expect(try await client.call("io.scened.Scenes.List")["scenes"] == [])
            #expect(try await client.call("io.scened.Session.Get")["session"]?["revision"] == 1)
        }
    }

    @Test("URLs and destinations resolve alike, and routes of a market need that market or say so")
    func doorsAndMarkets() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            let byURL = try await client.call(
                "io.scened.Routing.Resolve",
                ["url": "https://shop.example/produkt/p7", "market": "de"]
            )
            let byDestination = try await client.call(
                "io.scened.Routing.Resolve",
                ["destination": ["id": "product", "parameters": ["id": "p7"]]]
            )
            #expect(byURL["resolution"] == byDestination["resolution"])
        }
    }

    static let errors: [(JSONObject, String)] = [
        (["url": "qcommerce://nowhere"], "io.scened.Routing.UnknownRoute"),
        (["url": "qcommerce://product/x"], "io.scened.Routing.ValidationFailed"),
        (["url": "no URL at all"], "io.scened.Routing.Malformed"),
        (["destination": ["id": "nowhere", "parameters": [:]]], "io.scened.Routing.ValidationFailed"),
        (["destination": ["id": "product", "parameters": ["id": "x"]]], "io.scened.Routing.ValidationFailed"),
        (["url": "qcommerce://cart", "facts": ["nothing": 1]], "io.scened.Routing.InvalidFact"),
        (["url": "qcommerce://cart", "facts": ["cart": "p1"]], "io.scened.Routing.InvalidFact"),
        (["url": "qcommerce://cart", "facts": ["cart": ["p1", 1]]], "io.scened.Routing.InvalidFact"),
        ([:], "org.varlink.service.InvalidParameter"),
        (
            ["url": "qcommerce://cart", "destination": ["id": "cart", "parameters": [:]]],
            "org.varlink.service.InvalidParameter"
        ),
    ]

    @Test("says what is wrong with a question", arguments: errors)
    func refuses(parameters: JSONObject, name: String) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            let error = await #expect(throws: VarlinkError.self) {
                try await client.call("io.scened.Routing.Resolve", parameters)
            }
            #expect(error?.name == name)
        }
    }

    @Test("explains each step, lists the routes and prints URLs that lead back")
    func explainsListsPrints() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            let explanation = try await client.call("io.scened.Routing.Explain", ["url": "https://shop.example/cart"])
            let steps = explanation["steps"]?.arrayValue ?? []
            #expect(steps.contains { $0["kind"] == "route" && $0["passed"] == true })
            #expect(steps.last?["kind"] == "precondition")
            #expect(explanation["association"] == "match")
            #expect(explanation["resolution"]?["verdict"] == "gated")
            let excluded = try await client.call("io.scened.Routing.Explain", ["url": "https://shop.example/help/x"])
            #expect(excluded["association"] == "exclude")
            #expect(excluded["error"]?.stringValue?.isEmpty == false)
            // What it says of opening a URL is what becomes of one that is opened.
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            for (url, says) in [
                ("https://shop.example/help/x", "is refused as NotAssociated: the association file excludes"),
                ("https://shop.example/elsewhere", "is refused as NotAssociated: no associated domain"),
                ("https://other.example/cart", "is refused as NotAssociated: no associated domain"),
                ("qcommerce://nowhere", "is refused as UnknownRoute: no route takes"),
                ("qcommerce://product/x", "is refused as ValidationFailed: id:"),
                ("cart", "is refused as Malformed: "), ("", "is refused as Malformed: "),
                ("https:cart", "is refused as NotAssociated: no associated domain"),
                ("qcommerce:/a%2", "is refused as Malformed: the path has"),
                ("qcommerce:product/p1", "goes to product(id: p1), by the adapter"),
                ("qcommerce:/product/p1", "goes to product(id: p1), by the adapter"),
                ("qcommerce://product/p1", "goes to product(id: p1), by the adapter"),
            ] {
                let explained = try await client.call("io.scened.Routing.Explain", ["url": .string(url)])
                let opened = try #require(explained["opened"]?.stringValue)
                #expect(opened.hasPrefix(says) && !opened.contains(": malformed:"), "\(url): \(opened)")
                let refusal = try await client.refusal(
                    "io.scened.Events.OpenURL",
                    ["url": .string(url), "scene": "A"]
                )
                let name = refusal?.name.split(separator: ".").last
                #expect(opened.hasPrefix("is refused as \(name ?? "nothing"):") == (refusal != nil), "\(url)")
            }

            let routes = try await client.call("io.scened.Routing.Routes")["routes"]?.arrayValue ?? []
            #expect(routes.contains { $0["destination"] == "checkout" && $0["needs"]?[0] == "signedIn" })

            let place: JSONValue = ["id": "category", "parameters": ["slug": "green-tea"]]
            let urls =
                try await client.call("io.scened.Routing.Print", ["destination": place])["urls"]?.arrayValue ?? []
            #expect(urls.contains("https://shop.example/category/green-tea"))
            for url in urls {
                let resolved = try await client.call("io.scened.Routing.Resolve", ["url": url])
                #expect(resolved["resolution"]?["target"]?["path"]?[1] == place)
            }
            for (url, decision) in [("/cart", "match"), ("/help/x", "exclude"), ("/elsewhere", "noMatch")] {
                let reply = try await client.call(
                    "io.scened.Routing.MatchAssociation",
                    ["url": .string("https://shop.example\(url)")]
                )
                #expect(reply["decision"]?.stringValue == decision)
            }
        }
    }

    @Test("where a '?' object of an association file has a value that is no text, the whole object is ignored")
    func queryNotText() async throws {
        let components = [
            #"{ "/": "/number", "?": { "mode": 5 } }"#, #"{ "/": "/mixed", "?": { "lang": "de", "mode": [1] } }"#,
            #"{ "/": "/text", "?": { "mode": "5" } }"#,
        ]
        let line = #"- { "/": "*" }"#
        let edit = { (text: String) in
            text.replacing(line, with: components.map { "- \($0)" }.joined(separator: "\n            "))
        }
        try await FerryDoor.run(edit: edit) { daemon, client in
            let connection = try await daemon.connect()
            for (path, decision) in [
                ("number", "match"), ("number?mode=6", "match"), ("mixed", "match"), ("mixed?lang=en", "match"),
                ("text", "noMatch"), ("text?mode=6", "noMatch"), ("text?mode=5", "match"),
            ] {
                let url = "https://ferry.example/\(path)"
                let reply = try await client.call("io.scened.Routing.MatchAssociation", ["url": .string(url)])
                #expect(reply["decision"]?.stringValue == decision, "\(path)")
                // What is for the app has no route in it, and ends at the fallback; the rest opens in the browser.
                let refusal = try await connection.refusal("io.scened.Events.OpenURL", ["url": .string(url)])
                #expect(
                    refusal?.name == (decision == "match" ? nil : "io.scened.Events.NotAssociated"),
                    "\(path): \(String(describing: refusal))"
                )
            }
        }
    }
}
