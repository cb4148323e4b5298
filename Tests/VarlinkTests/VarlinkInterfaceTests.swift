import StrictJSON
import Testing
@testable import Varlink

@Suite("Interface files", .timeLimit(.minutes(15)))
struct VarlinkInterfaceTests {
    static let sample = """
        # A licence, not about the interface.

        # About the
        #   interface.
        interface org.example-1.a0   # not documentation

        # A point.
        type Point (
          # From the left.
          x: int, # not about y
          y: float
        )
        type Tree (left: ?Tree, right: ?Tree, tags: [string](), more: [][string]?object)
        type Colour (red, green,
          # Not too dark.
          blue_2)

        method Draw(at: Point, colours: ?[](one, two)) -> (done: bool)
        method Nothing()->()
        error Empty ( )
        error TooDark (colour: Colour, why: string)
        """

    @Test("everything in the grammar is parsed, with its comments")
    func reads() throws {
        let interface = try VarlinkInterface(parsing: Self.sample)
        #expect(interface.name == "org.example-1.a0")
        #expect(interface.documentation == "About the\n  interface.")
        #expect(interface.members.map(\.name) == ["Point", "Tree", "Colour", "Draw", "Nothing", "Empty", "TooDark"])
        #expect(interface.members[0].documentation == "A point.")
        #expect(
            interface.type("Point")
                == .structure([
                    VarlinkField("x", .int, documentation: "From the left."), VarlinkField("y", .float),
                ])
        )
        #expect(
            interface.type("Tree")
                == .structure([
                    VarlinkField("left", .nullable(.named("Tree"))), VarlinkField("right", .nullable(.named("Tree"))),
                    VarlinkField("tags", .dictionary(.structure([]))),
                    VarlinkField("more", .array(.dictionary(.nullable(.object)))),
                ])
        )
        #expect(
            interface.type("Colour")
                == .enumeration([
                    VarlinkSymbol("red"), VarlinkSymbol("green"),
                    VarlinkSymbol("blue_2", documentation: "Not too dark."),
                ])
        )
        #expect(interface.method("Draw")?.parameters.map(\.name) == ["at", "colours"])
        #expect(interface.method("Nothing")?.results == [])
        #expect(interface.error("Empty") == [])
        #expect(interface.method("Empty") == nil)
        #expect(interface.methodNames == ["Draw", "Nothing"])
    }

    @Test(
        "a text that is not an interface is refused with the place of the mistake",
        arguments: [
            ("", 1, 1, "expected 'interface', found the end"),
            ("interfac a.b", 1, 1, "expected 'interface', found 'interfac'"),
            ("interface ab", 1, 11, "expected an interface name such as 'org.example.ping', found 'ab'"),
            ("interface a..b", 1, 11, "expected an interface name such as 'org.example.ping', found 'a..b'"),
            ("interface a.b-", 1, 11, "expected an interface name such as 'org.example.ping', found 'a.b-'"),
            ("interface 0a.b", 1, 11, "unexpected '0'"),
            ("interface a.b\n!", 2, 1, "unexpected '!'"),
            ("interface a.b\ntyp A ()", 2, 1, "expected 'type', 'method' or 'error', found 'typ'"),
            (
                "interface a.b\ntype a ()", 2, 6,
                "expected a name with a capital first letter, of letters and digits, found 'a'"
            ),
            ("interface a.b\ntype A int", 2, 8, "expected '(', found 'int'"),
            ("interface a.b\ntype A (a: int", 2, 15, "expected ',' or ')', found the end"),
            (
                "interface a.b\ntype A (a: int,)", 2, 16,
                "expected a field name of letters and digits, separated by single '_', found ')'"
            ),
            ("interface a.b\ntype A (a: int, b)", 2, 18, "expected ':', found ')'"),
            ("interface a.b\ntype A (a, b: int)", 2, 13, "expected ',' or ')', found ':'"),
            ("interface a.b\ntype A (a: ??int)", 2, 13, "'??' is not allowed; write '?'"),
            ("interface a.b\ntype A (a: [int]int)", 2, 12, "expected '[]' or '[string]'"),
            ("interface a.b\ntype A (a: text)", 2, 12, "expected a type, found 'text'"),
            (
                "interface a.b\ntype A (a__b: int)", 2, 9,
                "expected a field name of letters and digits, separated by single '_', found 'a__b'"
            ),
            ("interface a.b\ntype A (a: int, a: int)", 2, 17, "'a' appears twice"),
            ("interface a.b\ntype A ()\nerror A ()", 3, 1, "'A' is declared twice"),
            ("interface a.b\ntype A (a: []B)\nerror B ()", 2, 14, "there is no type 'B' in this interface"),
            ("interface a.b\nmethod A(a, b) -> ()", 2, 9, "expected fields with types, as in '(name: string)'"),
            ("interface a.b\nmethod A() ()", 2, 12, "expected '->', found '('"),
        ]
    )
    func refuses(text: String, line: Int, column: Int, reason: String) {
        let error = #expect(throws: VarlinkSyntaxError.self) { try VarlinkInterface(parsing: text) }
        #expect(error?.description == "line \(line), column \(column): \(reason)")
    }

    @Test("types nested too deep are refused")
    func limitsNesting() {
        let text = "interface a.b\ntype A (a: " + String(repeating: "[]", count: 100_000) + "int)"
        #expect(throws: VarlinkSyntaxError.self) { try VarlinkInterface(parsing: text) }
    }

    @Test("a printed interface parses back the same, including its comments")
    func roundTrips() throws {
        let interface = try VarlinkInterface(parsing: Self.sample)
        #expect(try VarlinkInterface(parsing: interface.description) == interface)
    }

    @Test(
        "comments with any characters parse back the same",
        arguments: ["\u{740}", " \u{740}x", "\u{301}\r", "x \u{2003}", "\u{200D}\n#\u{740}\t"]
    )
    func roundTripsComments(comment: String) throws {
        let interface = try VarlinkInterface(parsing: "#\(comment)\ninterface a.b\n")
        #expect(!interface.documentation.isEmpty)
        #expect(try VarlinkInterface(parsing: interface.description) == interface)
    }

    @Test("any printed interface parses back the same", arguments: 0..<200)
    func roundTripsAny(seed: UInt64) throws {
        var maker = InterfaceMaker(seed: seed)
        let interface = maker.interface()
        #expect(try VarlinkInterface(parsing: interface.description) == interface, "\(interface)")
    }

    @Test("a type is printed on one line")
    func spells() {
        let type = VarlinkType.nullable(
            .array(.dictionary(.structure([VarlinkField("a", .enumeration([.init("b")]))])))
        )
        #expect(type.description == "?[][string](a: (b))")
    }

    @Test(
        "the first mismatch is named by its path",
        arguments: [
            (#"{"at":{"x":1,"y":2}}"#, nil), (#"{"at":{"x":1,"y":2.5},"colours":["one"]}"#, nil),
            (#"{"at":{"x":1,"y":2},"colours":null}"#, nil), (#"{}"#, "at"), (#"{"at":null}"#, "at"),
            (#"{"at":{"x":1}}"#, "at.y"), (#"{"at":{"x":1.0,"y":1}}"#, "at.x"),
            (#"{"at":{"x":1,"y":2,"z":3}}"#, "at.z"),
            (#"{"at":{"x":1,"y":2},"colours":["one","three"]}"#, "colours[1]"),
            (#"{"at":{"x":1,"y":2},"colours":"one"}"#, "colours"), (#"{"extra":1,"at":7}"#, "at"),
            (#"{"extra":1,"at":{"x":1,"y":2}}"#, "extra"),
        ]
    )
    func checks(text: String, offence: String?) throws {
        let interface = try VarlinkInterface(parsing: Self.sample)
        let fields = try #require(interface.method("Draw")).parameters
        let parameters = try #require(try JSONValue(parsing: text).objectValue)
        #expect(interface.firstMismatch(in: parameters, with: fields)?.path == offence)
    }

    @Test("a set is a dictionary of empty structures, in which null is not allowed")
    func checksSets() throws {
        let interface = try VarlinkInterface(parsing: Self.sample)
        let fields = [VarlinkField("tags", .dictionary(.structure([])))]
        #expect(interface.firstMismatch(in: ["tags": ["a": [:]]], with: fields)?.path == nil)
        #expect(interface.firstMismatch(in: ["tags": ["a": nil]], with: fields)?.path == "tags[a]")
        #expect(interface.firstMismatch(in: ["tags": ["a": ["b": 1]]], with: fields)?.path == "tags[a].b")
    }
}
