internal import Basics

extension JSONValue {
    /// Tells this value from others, in every process alike. Equal values have the same, whatever the order of an object's members. It does
    /// not protect against who wants two values to have the same.
    package var contentHash: UInt64 {
        switch self {
        case .null: Self.mixed(0, 0)
        case .bool(let value): Self.mixed(1, value ? 1 : 0)
        case .integer(let value): Self.mixed(2, UInt64(bitPattern: Int64(value)))
        // Zero has two forms that are equal.
        case .number(let value): Self.mixed(3, value == 0 ? 0 : value.bitPattern)
        case .string(let text): Self.mixed(4, Self.hash(of: text))
        case .array(let elements):
            elements.reduce(Self.mixed(5, UInt64(elements.count))) { Self.mixed($0, $1.contentHash) }
        case .object(let object):
            Self.mixed(
                6,
                object.reduce(UInt64(object.count)) { $0 &+ Self.mixed(Self.hash(of: $1.key), $1.value.contentHash) }
            )
        }
    }

    private static func hash(of text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static func mixed(_ one: UInt64, _ other: UInt64) -> UInt64 {
        SplitMix.mix(SplitMix.mix(one &+ 0x9E37_79B9_7F4A_7C15) ^ other)
    }
}
