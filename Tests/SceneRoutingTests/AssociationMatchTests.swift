import Foundation
import SceneRouting
import StrictJSON
import Testing

/// Vectors of sergii-ziborov/blazingly-aasa (MIT), checked by their author against Apple's swcutil on macOS 27.0:
/// `conformance/cases.json` at 67ad654 and its gap probes at b2551f4.
@Suite("Association files")
struct AssociationMatchTests {
    struct Vector: CustomTestStringConvertible, Sendable {
        var name: String
        var file: String
        var domain: String
        var appID: String
        var url: String
        var expect: String
        var testDescription: String { name }
    }

    @Test("decide as Apple's devices do", arguments: try Vectors.lines("association-match.jsonl").map(vector))
    func decide(vector: Vector) throws {
        let file = try AssociationFile(parsing: vector.file)
        let decision = file.decide(url: vector.url, appID: vector.appID, domain: vector.domain)
        switch decision {
        case .match: #expect(vector.expect == "match")
        case .exclude: #expect(vector.expect == "exclude")
        case .noMatch: #expect(vector.expect == "no_match")
        }
    }

    @Test(
        "of which one value in the object '?' is no text are as if they had no '?'",
        arguments: ["7", "null", "[\"x\"]", "{}", "true"]
    )
    func queryThatIsNoText(value: String) throws {
        func decides(_ items: String, _ url: String) throws -> Bool {
            let file = try AssociationFile(
                parsing: """
                    {"applinks": {"details": [{"appIDs": ["A.b"], "components": [{"/": "/p/*", "?": \(items)}]}]}}
                    """
            )
            if case .match = file.decide(url: url, appID: "A.b", domain: "a.example") { return true }
            return false
        }
        let texts = #"{"ref": "x", "kind": "??"}"#
        #expect(try decides(texts, "https://a.example/p/1?ref=x&kind=ab"))
        #expect(try !decides(texts, "https://a.example/p/1?ref=y&kind=ab"))
        for items in [#"{"ref": "x", "kind": \#(value)}"#, #"{"kind": \#(value), "ref": "x"}"#] {
            for query in ["?ref=x&kind=ab", "?ref=y", ""] {
                #expect(try decides(items, "https://a.example/p/1\(query)"), "\(items) \(query)")
            }
            #expect(try !decides(items, "https://a.example/q/1"), "the other members count")
        }
    }

    private static func vector(_ json: JSONValue) throws -> Vector {
        Vector(
            name: try #require(json["name"]?.stringValue),
            file: try #require(json["aasa"]).text(),
            domain: try #require(json["domain"]?.stringValue),
            appID: try #require(json["appId"]?.stringValue),
            url: try #require(json["url"]?.stringValue),
            expect: try #require(json["expect"]?.stringValue)
        )
    }
}
