import Varlink

/// Makes interfaces of every shape, the same for the same seed.
struct InterfaceMaker {
    private var state: UInt64
    private let smallestEnumeration: Int

    init(seed: UInt64, smallestEnumeration: Int = 1) {
        self.smallestEnumeration = smallestEnumeration
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }

    private mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    mutating func interface() -> VarlinkInterface {
        let count = below(6)
        let types = (0..<count).filter { _ in below(2) == 0 }.map { "T\($0)" }
        var members = types.map { name in
            VarlinkInterface.Member(name, .type(structureOrEnumeration(types, 3)), documentation: comment())
        }
        for index in 0..<below(5) {
            let kind: VarlinkInterface.Kind =
                below(2) == 0
                ? .method(parameters: fields(types, 3), results: fields(types, 3))
                : .error(parameters: fields(types, 3))
            members.insert(
                VarlinkInterface.Member("M\(index)", kind, documentation: comment()),
                at: below(members.count + 1)
            )
        }
        return VarlinkInterface(name: "a-b.c0.d--e", documentation: comment(), members: members)
    }

    private mutating func comment() -> String {
        switch below(4) {
        case 0: "One line with # and ( and \u{e9}."
        case 1: "Two lines,\n\n  the last indented."
        default: ""
        }
    }

    private mutating func fields(_ types: [String], _ depth: Int) -> [VarlinkField] {
        (0..<below(5)).map { VarlinkField("field_\($0)", type(types, depth), documentation: comment()) }
    }

    private mutating func structureOrEnumeration(_ types: [String], _ depth: Int) -> VarlinkType {
        guard below(3) == 0 else { return .structure(fields(types, depth)) }
        return .enumeration(
            (0..<smallestEnumeration + below(4)).map { VarlinkSymbol("value\($0)", documentation: comment()) }
        )
    }

    private mutating func type(_ types: [String], _ depth: Int) -> VarlinkType {
        switch below(depth > 0 ? 10 : 6) {
        case 0: return .bool
        case 1: return .int
        case 2: return .float
        case 3: return .string
        case 4: return .object
        case 5: return types.isEmpty ? .int : .named(types[below(types.count)])
        case 6: return .array(type(types, depth - 1))
        case 7: return .dictionary(type(types, depth - 1))
        case 8:
            let inner = type(types, depth - 1)
            if case .nullable = inner { return inner }
            return .nullable(inner)
        default: return structureOrEnumeration(types, depth - 1)
        }
    }
}
