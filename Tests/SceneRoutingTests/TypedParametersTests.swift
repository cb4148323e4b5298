import SceneRouting
import Testing

/// What code that was written from a manifest reads and writes.
@Suite("Typed parameters and facts")
struct TypedParametersTests {
    private enum Size: String, ParameterRepresentable { case small, large }

    private enum Place: TypedDestination {
        case home
        case item(id: String, page: Int = 1, size: Size? = nil, tags: [String] = [])

        init(of destination: Destination) throws(TypedValueError) {
            let parameters = TypedParameters(of: destination)
            switch destination.id {
            case "home": self = .home
            case "item":
                self = try .item(
                    id: parameters.value("id"),
                    page: parameters.value("page", or: 1),
                    size: parameters.optional("size"),
                    tags: parameters.value("tags", or: [])
                )
            default: throw .unknown(destination.id)
            }
        }

        var destination: Destination {
            switch self {
            case .home: Destination(id: "home")
            case .item(let id, let page, let size, let tags):
                Destination(
                    id: "item",
                    parameters: TypedParameters.texts(["id": id, "page": page, "size": size, "tags": tags])
                )
            }
        }
    }

    @Test(
        "are the same after both ways",
        arguments: [
            Place.home, .item(id: ""), .item(id: "a,b%", page: -7, size: .large, tags: ["x,y", "100%", "", "ü"]),
            .item(id: "1", page: .max, tags: [""]),
        ]
    )
    private func bothWays(place: Place) throws {
        #expect(try Place(of: place.destination) == place)
    }

    @Test("leave out what is absent, and take the default of what is missing")
    func absent() {
        let given = Place.item(id: "1", tags: ["a"]).destination
        #expect(given.parameters == ["id": "1", "page": "1", "tags": "a"])
        #expect(Place(Destination(id: "item", parameters: ["id": "1"])) == .item(id: "1"))
    }

    private static let wrong: [(destination: Destination, problem: String)] = [
        (Destination(id: "shop"), "there is no 'shop' in the code that was written from the manifest"),
        (Destination(id: "item"), "item.id is missing"),
        (Destination(id: "item", parameters: ["id": "1", "page": "1.5"]), "item.page is no Int"),
        (Destination(id: "item", parameters: ["id": "1", "page": "9223372036854775808"]), "item.page is no Int"),
        (Destination(id: "item", parameters: ["id": "1", "size": "huge"]), "item.size is no Size"),
    ]

    @Test("say what is wrong", arguments: wrong)
    func errors(destination: Destination, problem: String) {
        #expect(Place(destination) == nil)
        #expect { try Place(of: destination) } throws: { "\($0)" == problem }
    }

    @Test("of facts are read and set by their types")
    func facts() {
        var facts: [String: FactValue] = [:]
        facts[TypedFact<[String]>("cart")] = ["a"]
        facts[TypedFact<Int>("count")] = 3
        facts[TypedFact<Bool>("on")] = true
        facts[TypedFact<String>("name")] = "x"
        #expect(facts == ["cart": .strings(["a"]), "count": .integer(3), "on": .boolean(true), "name": .string("x")])
        #expect(facts[TypedFact<[String]>("cart")] == ["a"] && facts[TypedFact<Double>("count")] == 3)
        #expect(facts[TypedFact<Int>("name")] == nil && facts[TypedFact<Bool>("none")] == nil)
        facts[TypedFact<Int>("count")] = nil
        #expect(facts["count"] == nil)
    }
}
