public struct Mark: Sendable { public let line: Int; public let column: Int }
public struct Anchor: Sendable {}
public indirect enum Node {
    case scalar(Scalar)
    case mapping(Mapping)
    case sequence(Sequence)
    case alias(Alias)
    public struct Scalar {
        public enum Style: Equatable { case any, plain, singleQuoted }; public var string: String;
        public var style: Style
    }
    public struct Mapping: Swift.Sequence {
        public func makeIterator() -> AnyIterator<(key: Node, value: Node)> { AnyIterator { nil } }
    }
    public struct Sequence: Swift.Sequence { public func makeIterator() -> AnyIterator<Node> { AnyIterator { nil } } }
    public struct Alias {}
    public var mark: Mark? { nil }
    public var anchor: Anchor? { nil }
}
public final class Parser {
    public enum Encoding { case utf8 }
    public init(yaml: String, encoding: Encoding) throws {}
    public func singleRoot() throws -> Node? { nil }
}
public enum YamlError: Error {
    public struct Context { public let mark: Mark }
    case scanner(context: Context?, problem: String, Mark, yaml: String)
    case parser(context: Context?, problem: String, Mark, yaml: String)
    case composer(context: Context?, problem: String, Mark, yaml: String)
    case duplicatedKeysInMapping(duplicates: [String], context: Context)
    case reader(problem: String, offset: Int?, value: UInt8, yaml: String)
    case no
}
