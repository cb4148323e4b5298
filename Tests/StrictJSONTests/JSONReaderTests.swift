@testable import StrictJSON
import Testing

@Suite("A reader of typed values")
struct JSONReaderTests {
    private enum Colour: String, CaseIterable { case red, green }

    private static let text = #"""
        {"name":"Ann","empty":"","age":7,"rate":0.5,"old":true,"none":null,"colour":"red","tags":["a","b"],
         "window":{"tabs":[{"id":"home"},{"id":1}],"a.b":{"c":2}},"flags":{"x":true,"y":false},"é":"ü"}
        """#

    /// The same value as a tree and as a document.
    private static let readers: [JSONReader] = {
        guard let value = try? JSONValue(parsing: text), let document = try? JSONDocument(parsing: Array(text.utf8))
        else { return [] }
        return [JSONReader(value), JSONReader(document.root)]
    }()

    @Test("reads the same values from a tree and from a document", arguments: readers.indices)
    func takes(index: Int) throws {
        let reader = Self.readers[index]
        #expect(try reader["name"].text() == "Ann")
        #expect(try reader["empty"].text() == "")
        #expect(try reader["é"].text() == "ü")
        #expect(try reader["age"].integer(from: 7, to: 7) == 7)
        #expect(try reader["rate"].number(from: 0, to: 1) == 0.5)
        #expect(try reader["age"].number() == 7)
        #expect(try reader["old"].bool())
        #expect(try reader["colour"].choice(Colour.self) == .red)
        #expect(try reader["tags"].texts() == ["a", "b"])
        #expect(
            try reader["flags"].mapMembers { flag throws(JSONFieldError) in try flag.bool() } == [
                "x": true, "y": false,
            ]
        )
        #expect(try reader["window"]["a.b"].object() == ["c": 2])
        #expect(try reader["window"].members().map(\.key) == ["tabs", "a.b"])
        #expect(try reader.optional("nothing")?.text() == nil)
        #expect(try reader.optional("none")?.text() == nil, "null counts as absent")
    }

    /// A read that fails, and the error's description.
    struct Mistake: Sendable {
        let description: String
        let read: @Sendable (JSONReader) throws -> Void

        init(_ description: String, _ read: @escaping @Sendable (JSONReader) throws -> Void) {
            self.description = description
            self.read = read
        }
    }

    static let mistakes: [Mistake] = [
        Mistake("gone: expected string, found nothing") { _ = try $0["gone"].text() },
        Mistake("none: expected integer, found nothing") { _ = try $0["none"].integer() },
        Mistake("age: expected string, found integer") { _ = try $0["age"].text() },
        Mistake("empty: expected non-empty string, found empty string") { _ = try $0["empty"].nonEmptyText() },
        Mistake("age: expected integer from 8, found 7") { _ = try $0["age"].integer(from: 8) },
        Mistake("age: expected integer from 1 to 6, found 7") { _ = try $0["age"].integer(from: 1, to: 6) },
        Mistake(#"name: expected integer from 0, found "Ann""#) { _ = try $0["name"].integer(from: 0) },
        Mistake("rate: expected number from 1, found 0.5") { _ = try $0["rate"].number(from: 1) },
        Mistake("tags: expected number, found array") { _ = try $0["tags"].number() },
        Mistake("age: expected boolean, found integer") { _ = try $0["age"].bool() },
        Mistake(#"name: expected one of "red", "green", found "Ann""#) { _ = try $0["name"].choice(Colour.self) },
        Mistake("name: expected array, found string") { _ = try $0["name"].elements() },
        Mistake("age: expected array of strings, found integer") { _ = try $0["age"].texts() },
        Mistake("age: expected object, found integer") { _ = try $0["age"]["unit"].text() },
        Mistake("gone: expected object, found nothing") { _ = try $0["gone"]["deeper"].text() },
        Mistake("window.tabs[1].id: expected string, found integer") { reader in
            _ = try reader["window"]["tabs"].elements().map { tab throws(JSONFieldError) in try tab["id"].text() }
        },
        Mistake(#"window["a.b"].c: expected string, found integer"#) { _ = try $0["window"]["a.b"]["c"].text() },
        Mistake("flags.x: expected string, found boolean") { reader in
            _ = try reader["flags"].textMembers()
        },
        Mistake("flags.y: expected one of the members x, found another member") {
            try $0["flags"].refuseMembers(besides: ["x"])
        },
    ]

    @Test("reports where a mistake is, what would be right and what is there", arguments: mistakes.indices)
    func explains(index: Int) {
        let mistake = Self.mistakes[index]
        for reader in Self.readers {
            let error = #expect(throws: JSONFieldError.self) { try mistake.read(reader) }
            #expect(error?.description == mistake.description)
        }
    }

    @Test("treats null as a value on request")
    func nulls() throws {
        let reader = JSONReader(try JSONValue(parsing: #"{"none":null}"#), isNullAbsent: false)
        let error = #expect(throws: JSONFieldError.self) { try reader.optional("none")?.text() }
        #expect(error?.description == "none: expected string, found null")
    }

    @Test("refuses a file of another format or version")
    func format() throws {
        let file: JSONObject = ["format": "soup", "version": 2]
        #expect(throws: Never.self) { try JSONReader(file).requireFormat("soup", version: 2) }
        let other = #expect(throws: JSONFieldError.self) { try JSONReader(file).requireFormat("salad", version: 2) }
        #expect(other?.description == #"format: expected "salad", found "soup""#)
        let newer = #expect(throws: JSONFieldError.self) { try JSONReader(file).requireFormat("soup", version: 1) }
        #expect(newer?.path == "version")
    }

    @Test("gives paths that lead to the place in the file, or to the object that lacks a member")
    func places() throws {
        let value = try JSONValue(parsing: Self.text)
        let places = JSONPlaces(of: value, in: Self.text)
        #expect(places.place(at: JSONPath("window", "tabs", .element(1), "id")).line == 2)
        #expect(places.place(at: JSONPath("gone", "deeper")) == places.place)
    }
}

@Suite("Places in JSON")
struct JSONPlacesTests {
    @Test("are where members and elements begin")
    func places() throws {
        let text = "{ \"a\": [1,\n  {}, [], \"x\\\"]\", -1e3 ],\n\t\"é\":{\"b\":null}}"
        let json = try JSONValue(parsing: text)
        let places = JSONPlaces(of: json, in: text)
        func place(_ places: JSONPlaces?) -> [Int]? { places.map { [$0.place.line, $0.place.column] } }
        #expect(place(places) == [1, 1])
        #expect(place(places["a"]?.value) == [1, 8])
        #expect(
            places["a"]?.value.elements.map { [$0.place.line, $0.place.column] } == [
                [1, 9], [2, 3], [2, 7], [2, 11], [2, 19],
            ]
        )
        #expect(places["é"].map { [$0.name.line, $0.name.column] } == [3, 2])
        #expect(place(places["é"]?.value["b"]?.value) == [3, 12])
    }

    @Test("of another text are wrong, but nothing traps")
    func anotherText() throws {
        let json = try JSONValue(parsing: "{\"a\": [1, {\"b\": \"c\"}]}")
        for text in ["", "\"", "{", "{\"a", "]]]]]]", "\\\\\\"] { _ = JSONPlaces(of: json, in: text) }
    }
}
