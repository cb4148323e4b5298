/// Expects that what was let go is gone: weak references to screens and coordinators that the window no longer shows,
/// looked at when a dispatch has ended, never by time.
public struct LeakWatch {
    private struct Expectation {
        let name: String
        weak var object: AnyObject?
    }

    private var expectations: [Expectation] = []

    /// Nothing expected yet.
    public init() {}

    /// An object that outlived what it was shown for.
    public struct Leak: Hashable, Sendable {
        /// What it was: `screen product(id: p1)`, `coordinator auth`.
        public let name: String
        /// The object's type.
        public let type: String
        /// From which of those known it can be reached, each with the way: `the factory.cache[0]`. A weak reference looks
        /// the same as a strong one, and what a closure captured cannot be seen.
        public let holders: [String]
    }

    /// Whether nothing is expected to be gone.
    package var isEmpty: Bool { expectations.isEmpty }

    /// Expects the object to be gone at the next ``check(isShown:holders:keepers:)``.
    public mutating func expectGone(_ object: AnyObject, _ name: String) {
        expectations.append(Expectation(name: name, object: object))
    }

    /// What is still there and not shown, each once. Everything expected so far is then forgotten.
    ///
    /// - Parameters:
    ///   - isShown: Whether the object has been shown again, which is no leak.
    ///   - holders: Who might hold it.
    ///   - keepers: Who holds all of those as well, and is looked at where none of them does.
    public mutating func check(
        isShown: (AnyObject) -> Bool,
        holders: () -> [(name: String, object: AnyObject)],
        keepers: () -> [(name: String, object: AnyObject)] = { [] }
    ) -> [Leak] {
        guard !expectations.isEmpty else { return [] }
        defer { expectations = [] }
        var leaks: [Leak] = []
        for expectation in expectations {
            guard let object = expectation.object, !isShown(object) else { continue }
            var ways = Self.ways(from: holders(), to: object)
            if ways.isEmpty { ways = Self.ways(from: keepers(), to: object) }
            leaks.append(Leak(name: expectation.name, type: "\(type(of: object))", holders: ways))
        }
        return leaks
    }

    private static func ways(from holders: [(name: String, object: AnyObject)], to object: AnyObject) -> [String] {
        holders.compactMap { $0.object === object ? nil : ReferenceSearch.way(from: $0, to: object) }
    }
}

extension LeakWatch.Leak: CustomStringConvertible {
    /// `screen product(id: p1) (ProductScreen) is still held by the factory.cache[0]`.
    public var description: String {
        let held = holders.isEmpty ? "something that the runtime does not know" : holders.joined(separator: ", ")
        return "\(name) (\(type)) is still held by \(held)"
    }
}

/// Looks for the way from one object to another along stored properties, optionals and collections.
enum ReferenceSearch {
    /// How many values are looked at before the search gives up.
    static let limit = 4_000

    /// The shortest way, such as `the factory.cache[0]`, or `nil` where none is found.
    static func way(from holder: (name: String, object: AnyObject), to object: AnyObject) -> String? {
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(holder.object)]
        var open: [(way: String, mirror: Mirror)] = [(holder.name, Mirror(reflecting: holder.object))]
        var looked = 0
        while looked < open.count, looked < limit {
            let (way, mirror) = open[looked]
            looked += 1
            for (index, child) in children(of: mirror).enumerated() {
                let childMirror = Mirror(reflecting: child.value)
                // Neither the wrapper of an optional nor the pair of a dictionary is a step that a person would name.
                let step =
                    switch mirror.displayStyle {
                    case .optional, .tuple: way
                    case .collection, .set, .dictionary: "\(way)[\(index)]"
                    default: "\(way).\(child.label ?? "\(index)")"
                    }
                if childMirror.displayStyle == .class {
                    let reference = child.value as AnyObject
                    if reference === object { return step }
                    guard seen.insert(ObjectIdentifier(reference)).inserted else { continue }
                }
                open.append((step, childMirror))
            }
        }
        return nil
    }

    private static func children(of mirror: Mirror) -> [Mirror.Child] {
        var children = Array(mirror.children)
        var next = mirror.superclassMirror
        while let mirror = next {
            children += mirror.children
            next = mirror.superclassMirror
        }
        return children
    }
}
