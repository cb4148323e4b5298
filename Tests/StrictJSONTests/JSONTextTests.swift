@testable import StrictJSON
import Testing

@Suite("JSON written piece by piece")
struct JSONTextTests {
    private static let numbers = [0, 7, -7, 10, 1_000_000_007, .max, .min]

    @Test("is what a tree of the same values is written as")
    func agreesWithTree() {
        var json = JSONText()
        json.object { json in
            json.member("text", "quote \" slash \\ line\n bell\u{7} é😀")
            json.member("none", nil as String?)
            json.member("least", Int.min)
            json.member("no number", nil as Int?)
            json.member("yes", true)
            json.name("empty")
            json.object { _ in }
            json.name("list")
            json.array([1, 2]) { json, number in json.array([number]) { $0.value(.integer($1)) } }
            json.name("nothing")
            json.array([]) { (_: inout JSONText, _: Int) in }
            json.member(named: "na\"me", "")
            json.name("numbers")
            json.array { json in
                for number in Self.numbers { json.value(number) }
                let end = json.end
                json.value("never said")
                json.object { $0.member("nor", 1) }
                json.takeBack(to: end)
            }
            json.name("taken back to its beginning")
            json.array { json in
                let end = json.end
                json.value(1)
                json.takeBack(to: end)
            }
            json.name("tree")
            json.value(["a": [nil, 1.5]])
        }
        let tree: JSONValue = [
            "text": "quote \" slash \\ line\n bell\u{7} é😀", "least": .integer(.min), "yes": true, "empty": [:],
            "list": [[1], [2]], "nothing": [], "na\"me": "",
            "numbers": .array(Self.numbers.map(JSONValue.integer)), "taken back to its beginning": [],
            "tree": ["a": [nil, 1.5]],
        ]
        #expect(String(decoding: json.bytes, as: UTF8.self) == tree.text())
        for number in Self.numbers { #expect(JSONValue.integer(number).text() == "\(number)") }
        #expect(json.terminated() == Array(tree.text().utf8) + [0])
    }
}
