/// The path from the root of a JSON value to a place in it.
public struct JSONPath: Hashable, Sendable {
    /// One step down.
    public enum Step: Hashable, Sendable {
        /// Into the member of an object.
        case member(String)
        /// Into the element of an array, from 0.
        case element(Int)
    }

    /// The steps in their order; none for the root itself.
    public let steps: [Step]

    /// A path of these steps.
    package init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// A path of these steps.
    package init(_ steps: Step...) {
        self.steps = steps
    }

    /// This path followed by `rest`.
    package func appending(_ rest: JSONPath) -> JSONPath { JSONPath(steps + rest.steps) }
}

extension JSONPath: CustomStringConvertible {
    /// The path as people write it: `aps.alert.title-loc-args[2]`. Because paths end up in messages, a key that could be
    /// misread stands in brackets and quotes, cut after 64 characters.
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
    /// The path to a member of the root.
    public init(stringLiteral key: String) { self.init(.member(key)) }
}

extension JSONPath.Step: ExpressibleByStringLiteral {
    /// The step into the member with this key.
    public init(stringLiteral key: String) { self = .member(key) }
}
