@testable import StrictJSON
import Testing

@Suite("Parts of a JSON text")
struct JSONPartTests {
    private static let texts = [
        "null", "true", "[false]", "-0", "1.5e3", "9223372036854775807", "\"\"", "\"p1004\"", "\"é😀\"",
        "\"a\\n\\u00e9\"",
        "[]", "{}", "[[],[1,[2,{}]],{}]", #"{"a":1,"b":{"c":[null,"x"],"d":{}},"e":"f"}"#, #"{"é":1,"a\nb":2,"a":3}"#,
        // More members than are compared one by one.
        "{" + (0..<40).map { "\"m\($0)\":[\($0)]" }.joined(separator: ",") + "}",
    ]

    private func root(_ text: String) throws -> JSONPart { try JSONDocument(parsing: Array(text.utf8)).root }

    /// The value, rebuilt from the parts one by one.
    private func value(_ part: JSONPart) -> JSONValue {
        if part.isObject { return .object(JSONObject(part.members.map { ($0.name, value($0.value)) })) }
        if part.isArray { return .array(part.elements.map(value)) }
        if let text = part.stringValue { return .string(text) }
        if let number = part.integerValue { return .integer(number) }
        if let flag = part.boolValue { return .bool(flag) }
        return part.isNull ? .null : part.value
    }

    @Test("have the values that the tree has", arguments: texts)
    func agreeWithValue(text: String) throws {
        let expected = try JSONValue(parsing: text)
        let root = try root(text)
        #expect(root.value == expected)
        #expect(value(root) == expected)
        #expect(root.value.text() == expected.text(), "in the same order")
        #expect(root.typeName == expected.typeName)
        #expect(root.objectValue == expected.objectValue)
    }

    @Test("are there as they are written, if they are objects or arrays", arguments: texts)
    func written(text: String) throws {
        func check(_ part: JSONPart) throws {
            guard let written = part.written else { return #expect(!part.isObject && !part.isArray) }
            #expect(try JSONValue(parsing: String(decoding: written, as: UTF8.self)) == part.value)
            for inner in part.elements + part.members.map(\.value) { try check(inner) }
        }
        try check(root(text))
        let spaced = try root(" [ { \"a\" : [ 1 , 2 ] } , 3 ] ")
        #expect(spaced.elements.first?.written.map { String(decoding: $0, as: UTF8.self) } == "{ \"a\" : [ 1 , 2 ] }")
        #expect(spaced.elements.last?.written == nil)
    }

    @Test("are found by their names, however these are written")
    func areFound() throws {
        let root = try root(#"{"skipped":{"b":0},"a":1,"\u0062":2,"é":3,"list":[4]}"#)
        #expect(root["a"]?.integerValue == 1)
        #expect(root["b"]?.integerValue == 2)
        #expect(root["é"]?.integerValue == 3)
        #expect(root["list"]?.elements.first?.integerValue == 4)
        #expect(root["c"] == nil)
        #expect(root["a"]?["b"] == nil)
        #expect(root["list"]?.members.isEmpty == true)
        #expect(root.elements.isEmpty)
    }

    @Test(
        "with the same name are refused, however the name is written and however many members there are",
        arguments: [1, 15, 16, 17, 40]
    )
    func areRefused(count: Int) {
        let members = (0..<count).map { "\"m\($0)\":{\"m0\":0}" }.joined(separator: ",")
        for (name, shown) in [("m0", "m0"), (#"\u006d0"#, "m0"), ("m\(count - 1)", "m\(count - 1)")] {
            let text = "{\(members),\"\(name)\":1}"
            let error = #expect(throws: JSONError.self) { try root(text) }
            #expect(error?.reason == "the member \"\(shown)\" appears twice")
            #expect(error?.offset == members.utf8.count + 2)
        }
        #expect(throws: Never.self) { try root("{\(members),\"m\(count)\":1}") }
    }
}
