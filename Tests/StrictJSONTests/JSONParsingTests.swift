import StrictJSON
import Testing

@Suite("Parsing JSON")
struct JSONParsingTests {
    @Test(
        "reads what RFC 8259 allows",
        arguments: [
            ("null", .null), (" true ", true), ("false", false), ("0", 0), ("-7", -7), ("1.5", 1.5), ("2e3", 2000.0),
            ("-0", .number(-0.0)), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("\"\"", ""),
            ("\"a\\n\\u00e9\\ud83d\\ude00/\"", "a\né😀/"),
            ("\"é😀\"", "é😀"), ("[]", []), ("[1,[2]]", [1, [2]]), ("{}", [:]),
            ("{\"a\":{\"b\":null}}", ["a": ["b": nil]]),
        ] as [(String, JSONValue)]
    )
    func readsWhatIsAllowed(text: String, expected: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == expected)
    }

    @Test(
        "refuses everything else and says where",
        arguments: [
            ("", 0, "expected a value, found the end"), ("nul", 0, "expected 'null'"),
            ("[1,]", 3, "expected a value, found ']'"),
            ("[1 2]", 3, "expected ',' or ']', found '2'"), ("{\"a\":1,\"a\":2}", 7, "the member \"a\" appears twice"),
            ("{a:1}", 1, "expected a member name in double quotes, found 'a'"),
            ("{\"a\" 1}", 5, "expected ':', found '1'"),
            ("{\"a\":1", 6, "expected ',' or '}', found the end"), ("01", 0, "a number must not begin with 0"),
            ("-", 1, "expected a digit, found the end"), ("1.", 2, "expected a digit, found the end"),
            ("1e", 2, "expected a digit, found the end"), ("1e999", 0, "the number is out of range"),
            ("\"a", 0, "the string is not closed"), ("\"\\", 1, "the escape is incomplete"),
            ("\"\\x\"", 1, "unknown escape"),
            ("\"\\u12g4\"", 5, "expected four hexadecimal digits, found 'g'"),
            ("\"\\ud800\"", 1, "a surrogate must come in a pair"),
            ("\"\\udc00\"", 1, "a surrogate must come in a pair"),
            ("\"\\ud800\\u0041\"", 1, "a surrogate must come in a pair"),
            ("\"\u{1}\"", 1, "a control character must be escaped in a string"),
            ("1 1", 2, "unexpected '1' after the value"),
            ("\u{FEFF}1", 0, "expected a value, found byte 0xEF"), ("NaN", 0, "expected a value, found 'N'"),
        ]
    )
    func refusesEverythingElse(text: String, offset: Int, reason: String) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.offset == offset)
        #expect(error?.reason == reason)
    }

    @Test(
        "refuses bytes that are not UTF-8",
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0x5C, 0x6E, 0xED, 0xA0, 0x80, 0x22]]
    )
    func refusesInvalidUTF8(bytes: [UInt8]) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        #expect(error?.reason == "the string is not UTF-8")
    }

    @Test("allows nesting up to the limit and refuses to go deeper")
    func limitsDepth() throws {
        let limits = JSONLimits(depth: 3)
        #expect(try JSONValue(parsing: "[[[]]]", limits: limits) == [[[]]])
        #expect(throws: JSONError.self) { try JSONValue(parsing: "[[[[]]]]", limits: limits) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 1_000_000)) }
    }

    @Test("names line and column")
    func namesLineAndColumn() {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "{\n  \"a\": x\n}") }
        #expect(error?.description == "line 2, column 8: expected a value, found 'x'")
    }

    @Test("every prefix of a text is refused, and none traps")
    func refusesEveryPrefix() {
        let text = Array(#"{"a":[1,-2.5e3,true,null,"\u00e9\n"],"b":{"c":"é"}}"#.utf8)
        for length in 0..<text.count {
            #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text[..<length])) }
        }
    }
}

/// Strings that are equal only by the rules of Unicode.
@Suite(.timeLimit(.minutes(15))) struct JSONBytesTests {
    @Test("strings and keys are the same only if their bytes are, in objects of any size")
    func bytes() throws {
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
        for others in [0, 40] {
            var object: JSONObject = ["\u{E9}": 1]
            for index in 0..<others { object["k\(index)"] = .integer(index) }
            #expect(object["e\u{301}"] == nil)
            object["e\u{301}"] = 2
            let text = JSONValue.object(object).text()
            #expect(try JSONValue(parsing: text) == .object(object))
            #expect(object["\u{E9}"] == 1 && object["e\u{301}"] == 2 && object.count == others + 2)
        }
    }

    @Test("more than 30 combining marks in a row are refused, written out or as escapes")
    func marks() throws {
        let thirty = String(repeating: "\u{301}", count: 30)
        #expect(try JSONValue(parsing: "\"a\(thirty)\"") == .string("a" + thirty))
        for text in ["[\"a\(thirty)\u{323}\"]", "{\"a\(thirty)\\u0323\":1}"] {
            let error = try #require(throws: JSONError.self) { try JSONValue(parsing: text) }
            #expect(error.description == "line 1, column 2: the string has more than 30 combining marks in a row")
        }
    }
}
