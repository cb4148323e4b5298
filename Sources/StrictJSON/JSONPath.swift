/// The way to a place in a JSON value, from its root.
public struct JSONPath: Hashable, Sendable {
    /// One step down.
    public enum Step: Hashable, Sendable {
        /// Into the member of an object.
        case member(String)
        /// Into the element of an array, from 0.
        case element(Int)
    }

    /// The steps in their order; none for the value as a whole.
    public let steps: [Step]

    /// The way of these steps.
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// The way of these steps.
    public init(_ steps: Step...) {
        self.steps = steps
    }

    /// The way that begins with this one and goes on with `rest`.
    package func appending(_ rest: JSONPath) -> JSONPath { JSONPath(steps + rest.steps) }
}

extension JSONPath: CustomStringConvertible {
    /// As people write it: `aps.alert.title-loc-args[2]`. A key that could be misread is written in brackets and quotes,
    /// and one that is longer than any key people write is cut, because paths end up in messages.
    public var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .element(let index): text += "[\(index)]"
            case .member(let key) where Self.isPlain(key): text += text.isEmpty ? key : ".\(key)"
            case .member(let key): text += "[\(key.quotedForMessage)]"
            }
        }
        return text
    }

    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= 64
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "$"),
                    UInt8(ascii: " "):
                    true
                default: false
                }
            }
    }
}

extension JSONPath: ExpressibleByStringLiteral {
    /// The way to a member of the root.
    public init(stringLiteral key: String) { self.init(.member(key)) }
}

extension JSONPath.Step: ExpressibleByStringLiteral {
    public init(stringLiteral key: String) { self = .member(key) }
}
