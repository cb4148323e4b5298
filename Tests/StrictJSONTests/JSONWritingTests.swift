import StrictJSON
import Testing

@Suite("Writing JSON")
struct JSONWritingTests {
    @Test("what is written reads back the same", arguments: [JSONValue.Layout.compact, .indented])
    func roundTrips(layout: JSONValue.Layout) throws {
        let value: JSONValue = [
            "text": "quote \" slash \\ line\n tab\t bell\u{7} é😀", "numbers": [0, -1, 1.5, 1e300, .integer(.min)],
            "none": nil,
            "empty": [[], [:]], "yes": true,
        ]
        #expect(try JSONValue(parsing: value.text(layout)) == value)
    }

    @Test("keeps the order of members, and ignores it when comparing")
    func keepsOrder() throws {
        let one: JSONValue = ["b": 1, "a": 2]
        #expect(one.text() == #"{"b":1,"a":2}"#)
        #expect(one == ["a": 2, "b": 1])
        #expect(one.hashValue == (["a": 2, "b": 1] as JSONValue).hashValue)
        #expect(one != ["a": 2])
    }

    @Test("indents by two spaces a level")
    func indents() {
        let value: JSONValue = ["a": [1, [:]], "b": []]
        #expect(value.text(.indented) == "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}")
    }

    @Test("writes an infinity as null, because JSON has none")
    func writesInfinityAsNull() {
        #expect(JSONValue.number(.infinity).text() == "null")
    }
}
