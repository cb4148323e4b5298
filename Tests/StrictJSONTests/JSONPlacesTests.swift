import StrictJSON
import Testing

@Suite("Places in JSON")
struct JSONPlacesTests {
    @Test("are where members and elements begin")
    func places() throws {
        let text = "{ \"a\": [1,\n  {}, [], \"x\\\"]\", -1e3 ],\n\t\"é\":{\"b\":null}}"
        let json = try JSONValue(parsing: text)
        let places = JSONPlaces(of: json, in: text)
        func place(_ places: JSONPlaces?) -> [Int]? { places.map { [$0.place.line, $0.place.column] } }
        #expect(place(places) == [1, 1])
        #expect(place(places.members["a"]?.value) == [1, 8])
        #expect(
            places.members["a"]?.value.elements.map { [$0.place.line, $0.place.column] } == [
                [1, 9], [2, 3], [2, 7], [2, 11], [2, 19],
            ]
        )
        #expect(places.members["é"].map { [$0.name.line, $0.name.column] } == [3, 2])
        #expect(place(places.members["é"]?.value.members["b"]?.value) == [3, 12])
    }

    @Test("of another text are wrong and nothing worse")
    func anotherText() throws {
        let json = try JSONValue(parsing: "{\"a\": [1, {\"b\": \"c\"}]}")
        for text in ["", "\"", "{", "{\"a", "]]]]]]", "\\\\\\"] { _ = JSONPlaces(of: json, in: text) }
    }
}
