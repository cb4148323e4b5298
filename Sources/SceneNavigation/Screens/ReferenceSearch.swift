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
