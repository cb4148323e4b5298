/// Checks that screens and coordinators that are no longer shown have been deallocated. It holds them weakly and looks when
/// a dispatch has ended, never after some time.
public struct LeakWatch {
    private struct Expectation {
        let name: String
        weak var object: AnyObject?
    }

    private var expectations: [Expectation] = []

    /// A watch that expects nothing yet.
    public init() {}

    /// An object that outlived what it was shown for.
    public struct Leak: Hashable, Sendable {
        /// What the object was: `screen product(id: p1)`, `coordinator auth`.
        public let name: String
        /// The name of the object's type.
        public let type: String
        /// The paths by which it can be reached from known objects, such as `the factory.cache[0]`. A weak reference looks
        /// the same as a strong one, and what a closure captures cannot be seen.
        public let holders: [String]
    }

    /// Whether nothing is expected to be gone.
    package var isEmpty: Bool { expectations.isEmpty }

    /// Expects the object to be gone at the next ``check(isShown:holders:keepers:)``.
    /// - Parameters:
    ///   - object: What should go.
    ///   - name: What the object is, for the report.
    public mutating func expectGone(_ object: AnyObject, _ name: String) {
        expectations.append(Expectation(name: name, object: object))
    }

    /// The expected objects that still exist and are not shown, once each. Everything expected so far is then forgotten.
    ///
    /// - Parameters:
    ///   - isShown: Whether the object is shown again, in which case it has not leaked.
    ///   - holders: The objects that might hold it, by name.
    ///   - keepers: Objects that hold those; they are searched only if none of the holders leads to the object.
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
    /// The leak in words: `screen product(id: p1) (ProductScreen) is still held by the factory.cache[0]`.
    public var description: String {
        let held = holders.isEmpty ? "something that the runtime does not know" : holders.joined(separator: ", ")
        return "\(name) (\(type)) is still held by \(held)"
    }
}

/// Searches for a path of references from one object to another, along stored properties, optionals and collections.
enum ReferenceSearch {
    /// How many values are searched before the search gives up.
    static let limit = 4_000

    /// The shortest path, such as `the factory.cache[0]`, or `nil` if none is found.
    static func way(from holder: (name: String, object: AnyObject), to object: AnyObject) -> String? {
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(holder.object)]
        var open: [(way: String, mirror: Mirror)] = [(holder.name, Mirror(reflecting: holder.object))]
        var looked = 0
        while looked < open.count, looked < limit {
            let (way, mirror) = open[looked]
            looked += 1
            for (index, child) in children(of: mirror).enumerated() {
                let childMirror = Mirror(reflecting: child.value)
                // An optional's wrapper and a dictionary's pair are not steps that a person would name.
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
