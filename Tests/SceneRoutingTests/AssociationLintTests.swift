import SceneRouting
import StrictJSON
import Testing

/// The situations of sergii-ziborov/blazingly-aasa (MIT), `conformance/cases.json` at 67ad654; the names are our own.
@Suite("The association lint")
struct AssociationLintTests {
    /// The code for each situation, by the name of the vector.
    static let expected: [String: [AssociationDiagnostic.Code]] = [
        "validation/detail-without-app-id": [.noAppID],
        "validation/both-app-id-forms": [.bothAppIDForms],
        "validation/mixed-components-and-paths": [.componentsAndPaths],
        "validation/legacy-apps-not-empty": [.legacyAppsNotEmpty],
        "validation/empty-app-id": [.malformedAppID],
        "validation/recursive-substitution": [.noDetails, .recursiveVariable],
        "validation/undefined-substitution": [.undefinedVariable],
        "validation/unterminated-substitution": [.unterminatedVariable],
        "validation/non-string-query-predicate": [.everythingMatches, .queryNotText],
        "validation/catch-all-shadows-later-rule": [.everythingMatches, .unreachableComponent],
        "validation/no-details": [.noDetails],
        "validation/no-recognized-service": [.noKnownService],
        "validation/clean-document-is-silent": [],
    ]

    @Test("names every known situation", arguments: try Vectors.lines("association-validation.jsonl"))
    func situations(vector: JSONValue) throws {
        let name = try #require(vector["name"]?.stringValue)
        let expected = try #require(Self.expected[name], "a situation without a name of ours")
        let found = AssociationFile.lint(try #require(vector["aasa"]).text(.indented))
        #expect(found.map(\.code) == expected, "\(name): \(found)")
    }

    @Test("reports the place of a mistake and what would be right")
    func placesAndSuggestions() {
        let file = """
            {
              "applinks": {
                "substitutionVariables": { "food": ["pizza"] },
                "details": [
                  { "appIDs": ["A.b"], "components": [{ "/": "/$(foods)/*", "exlude": true }] }
                ]
              }
            }
            """
        #expect(
            AssociationFile.lint(file).map(\.description) == [
                "5:50: error: applinks.details[0].components[0]./: there is no variable 'foods', so nothing matches; "
                    + "did you mean 'food'? [undefined-variable]",
                "5:65: warning: applinks.details[0].components[0].exlude: 'exlude' is not known and is ignored; "
                    + "did you mean 'exclude'? [unknown-member]",
            ]
        )
    }

    /// Rules, with the places of those that can never match.
    static let shadowed: [(rules: String, places: [String])] = [
        (#""components": [{"/": "/a/*"}, {"/": "/a/b"}]"#, ["components[1]"]),
        (
            #""components": [{"/": "/a/*", "exclude": true}, {"/": "/x"}, {"/": "/a/b", "?": {"c": "d"}}]"#,
            ["components[2]"]
        ),
        (#""components": [{"/": "/a/b"}, {"/": "/a/*"}]"#, []),
        (#""components": [{"/": "/a/*", "?": {"c": "d"}}, {"/": "/a/b"}]"#, []),
        (#""components": [{"/": "/a/*"}, {"/": "/a/b", "caseSensitive": false}]"#, []),
        (#""components": [{"/": "/a/?*"}, {"/": "/a/b"}]"#, []),
        (#""paths": ["*", "NOT /a/*"]"#, ["paths[1]"]), (#""paths": ["NOT /a/*", "*"]"#, []),
        (#""paths": ["/a/*", "/b", "NOT /a/b", "/a/c"]"#, ["paths[2]", "paths[3]"]),
    ]

    @Test("finds every rule that an earlier one shadows, in both forms", arguments: shadowed)
    func shadowing(rules: String, places: [String]) {
        let found = AssociationFile.lint(#"{"applinks": {"details": [{"appIDs": ["A.b"], \#(rules)}]}}"#)
        #expect(
            found.filter { $0.code == .unreachableComponent }.map(\.path) == places.map { "applinks.details[0].\($0)" }
        )
    }

    @Test("reports where a file is not JSON")
    func notJSON() {
        let found = AssociationFile.lint("{\n  \"applinks\": nope\n}")
        #expect(found.map(\.code) == [.notJSON])
        #expect(found.first?.line == 2)
        #expect(found.first?.column == 15)
    }

    @Test("reports patterns that grow beyond the bound, which matching ignores")
    func boundedVariables() throws {
        let values = (0..<4000).map { "\"\($0)\"" }.joined(separator: ",")
        let pattern = String(repeating: "$(v)", count: 400)
        let file = """
            {"applinks":{"substitutionVariables":{"v":[\(values)]},"details":[{"appIDs":["A.b"],"components":[
            {"/":"/ok"},{"/":"/\(pattern)"},{"/":"/late"}]}]}}
            """
        #expect(AssociationFile.lint(file).map(\.code) == [.tooComplex])
        let parsed = try AssociationFile(parsing: file)
        #expect(parsed.decide(url: "https://x.example/ok", appID: "A.b", domain: "") == .match(domain: ""))
        let digits = String(repeating: "1", count: 400)
        #expect(parsed.decide(url: "https://x.example/\(digits)", appID: "A.b", domain: "") == .noMatch)
    }
}
