import Testing

@testable import TypedRoutes

@Suite("SwiftNames")
struct SwiftNamesTests {
    private static let cases: [(name: String, value: String, type: String, label: String)] = [
        ("home", "home", "Home", "home"), ("signedIn", "signedIn", "SignedIn", "signedIn"),
        ("buy-now", "buyNow", "BuyNow", "buyNow"), ("room.detail_2", "roomDetail2", "RoomDetail2", "roomDetail2"),
        ("URL", "url", "URL", "url"), ("Cart", "cart", "Cart", "cart"), ("1st", "_1st", "_1st", "_1st"),
        ("default", "`default`", "Default", "default"), ("inout", "`inout`", "Inout", "`inout`"),
        ("self", "self_", "Self", "self"), ("init", "init_", "Init", "init"), ("Type", "type", "Type", "type"),
        ("-", "__", "_", "__"), ("é", "__", "_", "__"), ("sécurité", "sCurit", "SCurit", "sCurit"),
    ]

    @Test("are identifiers, in backticks where they are words of Swift", arguments: cases)
    func identifiers(name: String, value: String, type: String, label: String) {
        var names = SwiftNames()
        #expect(names.value(name) == value)
        names = SwiftNames()
        #expect(names.type(name) == type)
        names = SwiftNames()
        #expect(names.label(name) == label)
    }

    @Test("are different for different names, in the order in which they come")
    func different() {
        var names = SwiftNames(taken: ["allCases"])
        #expect(
            ["a-b", "aB", "a.b", "allCases", "aB_2"].map { names.value($0) } == [
                "aB", "aB_2", "aB_3", "allCases_2", "aB2",
            ]
        )
    }
}
