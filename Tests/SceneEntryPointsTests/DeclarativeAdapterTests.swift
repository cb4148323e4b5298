import SceneEntryPoints
import SceneRouting
import StrictJSON
import Testing

@Suite("Declarative adapters")
struct DeclarativeAdapterTests {
    /// The answer of a declared adapter to a widget with this user info.
    private func adapt(
        _ userInfo: JSONObject,
        _ mapping: AdapterDeclaration.Mapping,
        if conditions: [AdapterDeclaration.FieldCondition] = []
    ) throws -> AdapterAnswer {
        let declaration = AdapterDeclaration(name: "a", kinds: ["widget"], conditions: conditions, mapping: mapping)
        return DeclarativeAdapter(declaration).adapt(try .widget(kind: "k", userInfo: userInfo))
    }

    private func place(_ template: String) -> AdapterDeclaration.Mapping {
        .destination(id: template, parameters: [:], parametersFrom: nil)
    }

    @Test(
        "a path leads through objects and arrays",
        arguments: [
            ("userInfo.a.b.c", "deep"), ("userInfo.list.1", "two"), ("userInfo.list.2.name", "three"),
            (#"userInfo.com\.example\.id"#, "dotted"), (#"userInfo.back\\slash"#, "slashed"), ("kind", "k"),
            ("userInfo.with space", "spaced"), ("userInfo.ключ", "foreign"),
            ("userInfo.at.$date", "2026-05-01T12:00:00Z"),
        ]
    )
    func followsPaths(path: String, expected: String) throws {
        let userInfo: JSONObject = [
            "a": ["b": ["c": "deep"]], "list": ["one", "two", ["name": "three"]], "com.example.id": "dotted",
            "back\\slash": "slashed", "with space": "spaced", "ключ": "foreign",
            "at": ["$date": "2026-05-01T12:00:00Z"],
        ]
        #expect(try adapt(userInfo, place("{\(path)}")) == .request(.destination(Destination(id: expected))))
    }

    @Test(
        "a path that leads nowhere or to no text is a decline",
        arguments: [
            ("userInfo.x", "userInfo.x is absent"), ("userInfo.text.x", "userInfo.text.x is absent"),
            ("userInfo.list.9", "userInfo.list.9 is absent"), ("userInfo.list.-1", "userInfo.list.-1 is absent"),
            ("userInfo.list.99999999999999999999", "userInfo.list.99999999999999999999 is absent"),
            ("userInfo.list.first", "userInfo.list.first is absent"),
            ("userInfo.list", "userInfo.list is not text but array"), ("userInfo", "userInfo is not text but object"),
            ("userInfo.n", "userInfo.n is not text but integer"), ("userInfo.x1", "userInfo.x1 is not text but number"),
            ("userInfo.yes", "userInfo.yes is not text but boolean"),
            ("userInfo.no", "userInfo.no is absent"),
        ]
    )
    func declines(path: String, reason: String) throws {
        let userInfo: JSONObject = [
            "text": "t", "list": ["a"], "n": 1, "x1": 1.5, "yes": true, "no": nil,
        ]
        #expect(try adapt(userInfo, place("{\(path)}")) == .declined(reason: reason))
        #expect(try adapt(userInfo, .url(template: "a://{\(path)}")) == .declined(reason: reason))
    }

    @Test(
        "a pattern captures what stands between its constants",
        arguments: [
            ("{id}", "p1", ["id": "p1"]), ("product/{id}", "product/p1", ["id": "p1"]),
            ("{a}/{b}", "x/y", ["a": "x", "b": "y"]), ("{a}-{b}", "1-2-3", ["a": "1", "b": "2-3"]),
            ("{a}-{b}.html", "x-y-z.html.html", ["a": "x", "b": "y-z.html"]), ("v{n}x", "vxx", ["n": "x"]),
            ("{a}:{b}:{c}", "é:ü:😀", ["a": "é", "b": "ü", "c": "😀"]), ("a{x}a{y}a", "aaaaa", ["x": "a", "y": "a"]),
            ("plain", "plain", [:]), ("", "", [:]), ("a//{b}", "a//c", ["b": "c"]),
        ] as [(String, String, [String: String])]
    )
    func captures(pattern: String, text: String, expected: [String: String]) throws {
        let mapping = AdapterDeclaration.Mapping.destination(
            id: "d",
            parameters: Dictionary(uniqueKeysWithValues: expected.keys.map { ($0, "{\($0)}") }),
            parametersFrom: nil
        )
        let answer = try adapt(["t": .string(text)], mapping, if: [.matches(path: "userInfo.t", pattern: pattern)])
        #expect(answer == .request(.destination(Destination(id: "d", parameters: expected))))
    }

    @Test(
        "a pattern matches the whole text or not at all",
        arguments: [
            ("{id}", ""), ("{id}", "a/b"), ("product/{id}", "product/"), ("product/{id}", "xproduct/p1"),
            ("product/{id}", "product/p1/"), ("{a}-{b}", "-1"), ("{a}-{b}", "1-"), ("{a}-{b}", "1"),
            ("plain", "plain "),
            ("", "a"), ("a{x}a{y}a", "aaaa"), ("{a}.html", ".html"),
        ]
    )
    func doesNotMatch(pattern: String, text: String) throws {
        let answer = try adapt(["t": .string(text)], place("d"), if: [.matches(path: "userInfo.t", pattern: pattern)])
        #expect(answer == .declined(reason: "userInfo.t is \"\(text)\", which does not match \(pattern)"))
    }

    @Test("a name that is captured twice must capture the same text")
    func comparesCaptures() throws {
        let conditions: [AdapterDeclaration.FieldCondition] = [
            .matches(path: "userInfo.a", pattern: "x/{id}"), .matches(path: "userInfo.b", pattern: "y/{id}"),
        ]
        #expect(
            try adapt(["a": "x/1", "b": "y/1"], place("{id}"), if: conditions)
                == .request(.destination(Destination(id: "1")))
        )
        #expect(
            try adapt(["a": "x/1", "b": "y/2"], place("{id}"), if: conditions)
                == .declined(reason: #"{id} is "1" and "2""#)
        )
    }

    @Test("all conditions must hold; null counts as absent")
    func checksAllConditions() throws {
        let conditions: [AdapterDeclaration.FieldCondition] = [
            .present(path: "userInfo.a"), .equals(path: "userInfo.b", oneOf: ["x", "y"]),
        ]
        #expect(
            try adapt(["a": 1, "b": "y"], place("d"), if: conditions) == .request(.destination(Destination(id: "d")))
        )
        #expect(try adapt(["b": "y"], place("d"), if: conditions) == .declined(reason: "userInfo.a is absent"))
        #expect(
            try adapt(["a": nil, "b": "y"], place("d"), if: conditions) == .declined(reason: "userInfo.a is absent")
        )
        #expect(
            try adapt(["a": 1, "b": "z"], place("d"), if: conditions)
                == .declined(reason: #"userInfo.b is "z", not "x" or "y""#)
        )
        #expect(
            try adapt(["a": 1, "b": 2], place("d"), if: conditions)
                == .declined(reason: #"userInfo.b is "2", not "x" or "y""#)
        )
    }

    @Test("a boolean and an integer equal what a manifest writes for them, and no other value does")
    func equalsValues() throws {
        func take(_ value: JSONValue, _ words: String...) throws -> Bool {
            let condition = AdapterDeclaration.FieldCondition.equals(path: "userInfo.v", oneOf: words)
            if case .request = try adapt(["v": value], place("d"), if: [condition]) { return true }
            return false
        }
        #expect(try take(true, "true") && take("true", "true") && take(3, "x", "3") && take(false, "false"))
        #expect(try !take(true, "false") && !take(3, "4") && !take(["true"], "true") && !take(["a": 1], "1"))
        let nested = AdapterDeclaration.FieldCondition.equals(path: "userInfo.v", oneOf: ["x"])
        #expect(
            try adapt(["v": ["x"]], place("d"), if: [nested]) == .declined(reason: "userInfo.v is not text but array")
        )
    }

    @Test("a captured name takes precedence over a path of the same name")
    func prefersCaptures() throws {
        let answer = try adapt(
            ["t": "captured"],
            place("{kind}"),
            if: [.matches(path: "userInfo.t", pattern: "{kind}")]
        )
        #expect(answer == .request(.destination(Destination(id: "captured"))))
    }

    @Test(
        "a value cannot leave its place in a URL, except at the very beginning",
        arguments: [
            ("qcommerce://{userInfo.v}", "product/p1", .url("qcommerce://product/p1")),
            ("qcommerce://product/{userInfo.v}", "p1?ref=x#y", .url("qcommerce://product/p1%3Fref%3Dx%23y")),
            ("https://shop.example/p/{userInfo.v}", "a b%é", .universalLink("https://shop.example/p/a%20b%25%C3%A9")),
            ("https://{userInfo.v}/x", "evil@host:1", .universalLink("https://evil%40host%3A1/x")),
            ("a://b?c={userInfo.v}", "1&d=2\n", .url("a://b?c=1%26d%3D2%0A")),
            ("{userInfo.v}", "https://a.example/?q=1#f", .universalLink("https://a.example/?q=1#f")),
            ("{userInfo.v}/more", "a://b", .url("a://b/more")),
        ] as [(String, String, AdaptedRequest)]
    )
    func fillsURLs(template: String, value: String, request: AdaptedRequest) throws {
        #expect(try adapt(["v": .string(value)], .url(template: template)) == .request(request))
    }

    @Test("parameters are the texts of an object, and templates take precedence")
    func collectsParameters() throws {
        let mapping = AdapterDeclaration.Mapping.destination(
            id: "d",
            parameters: ["a": "from-{kind}", "gone": "{userInfo.absent}"],
            parametersFrom: "userInfo.p"
        )
        let answer = try adapt(["p": ["a": "1", "b": "2", "n": 3, "o": [:], "z": nil]], mapping)
        #expect(
            answer
                == .request(
                    .destination(Destination(id: "d", parameters: ["a": "from-k", "b": "2"])),
                    warnings: [
                        "userInfo.p.n: is not text but integer, left out",
                        "userInfo.p.o: is not text but object, left out",
                        "userInfo.p.z: is not text but null, left out",
                    ]
                )
        )
    }

    @Test("an adapter whose declaration is wrong declines everything with the reason")
    func declinesWhenWrong() throws {
        let wrong: [(AdapterDeclaration.Mapping, [AdapterDeclaration.FieldCondition], String)] = [
            (place("{"), [], "'{' without '}'"), (place("}"), [], "'}' without '{'"),
            (place("{a{b}}"), [], "'{' within braces"), (place("{}"), [], "braces without a name"),
            (place("d"), [.present(path: "")], #""" is not a path such as payload.url"#),
            (place("d"), [.present(path: "a..b")], #""a..b" is not a path such as payload.url"#),
            (place("d"), [.equals(path: "a\\b", oneOf: [])], #""a\\b" is not a path such as payload.url"#),
            (place("d"), [.matches(path: "a", pattern: "{x}{y}")], "nothing separates {x} from {y}"),
            (place("d"), [.matches(path: "a", pattern: "{x}/{x}")], "{x} appears twice"),
            (place("d"), [.matches(path: "a", pattern: "{}")], "a capture has no name"),
            (
                .destination(id: "d", parameters: ["p": "{"], parametersFrom: nil), [], "'{' without '}'"
            ),
            (
                .destination(id: "d", parameters: [:], parametersFrom: "a."), [],
                #""a." is not a path such as payload.url"#
            ),
        ]
        for (mapping, conditions, reason) in wrong {
            let declaration = AdapterDeclaration(name: "a", kinds: ["widget"], conditions: conditions, mapping: mapping)
            #expect(DeclarativeAdapter(declaration).problem == reason)
            #expect(try adapt([:], mapping, if: conditions) == .declined(reason: "its declaration is wrong: \(reason)"))
        }
    }

    @Test("kinds that do not exist are never asked about")
    func ignoresUnknownKinds() {
        let declaration = AdapterDeclaration(name: "a", kinds: ["pigeon", "push"], mapping: place("d"))
        #expect(DeclarativeAdapter(declaration).kinds == [.push])
    }

    @Test("huge and deep events cost no more than reading them")
    func bearsHugeEvents() throws {
        let long = String(repeating: "ab-", count: 100_000)
        let pattern = AdapterDeclaration.FieldCondition.matches(path: "userInfo.t", pattern: "{a}-{b}-{c}x{d}-y")
        guard case .declined(let reason) = try adapt(["t": .string(long)], place("d"), if: [pattern]) else {
            Issue.record("took it")
            return
        }
        #expect(reason.utf8.count < 200)

        var many = JSONObject()
        for index in 0..<50_000 { many["n\(index)"] = .integer(index) }
        let source = AdapterDeclaration.Mapping.destination(id: "d", parameters: [:], parametersFrom: "userInfo")
        guard case .request(_, _, let warnings) = try adapt(many, source) else {
            Issue.record("declined it")
            return
        }
        #expect(warnings.count == 9)
        #expect(warnings.last == "userInfo: 49992 more members that are not text, left out")

        var deep: JSONValue = "bottom"
        for _ in 0..<60 { deep = ["a": deep] }
        let path = "userInfo." + Array(repeating: "a", count: 60).joined(separator: ".")
        #expect(
            try adapt(["a": deep["a"] ?? nil], place("{\(path)}")) == .request(.destination(Destination(id: "bottom")))
        )
    }
}
