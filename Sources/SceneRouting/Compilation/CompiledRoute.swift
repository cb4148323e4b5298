/// A route with its pattern parsed and everything that a match needs looked up. Immutable. A class so that passing it on
/// costs one reference.
final class CompiledRoute: Sendable {
    let declaration: RouteDeclaration
    let pattern: RoutePattern
    /// The destination; `nil` if a capture names it.
    let destination: CompiledDestination?
    /// The capture that names the destination, if one does.
    let destinationCapture: String?
    /// The types of the captures that are parameters; any other capture can be any text.
    let checks: [String: ParameterCheck]
    let specificity: Specificity
    /// The matchers of segments with several pieces, by the segment's position.
    let mixed: [Int: SegmentMatcher]
    /// Whether the route exists only in some markets or locales.
    let hasVariants: Bool
    /// Where each of the destination's parameters comes from, if whole segments and fixed values are enough; `nil` if the
    /// route needs the query or the fragment, or if the URL names the destination.
    let sources: [Source]?
    /// Whether the query can matter although ``sources`` exists.
    let mayReadQuery: Bool

    /// Where a parameter's value comes from.
    enum Source: Sendable {
        /// A segment, counted from 0 at the beginning of the path, or from -1 backwards at its end.
        case segment(Int)
        case fixed(String)
        case absent
    }

    init(
        declaration: RouteDeclaration,
        pattern: RoutePattern,
        destination: CompiledDestination?,
        destinationCapture: String?,
        checks: [String: ParameterCheck]
    ) {
        self.declaration = declaration
        self.pattern = pattern
        self.destination = destination
        self.destinationCapture = destinationCapture
        self.checks = checks
        specificity = Specificity(declaration, pattern: pattern, checks: checks)
        hasVariants = !declaration.markets.isEmpty || !declaration.locales.isEmpty
        var mixed: [Int: SegmentMatcher] = [:]
        for (index, segment) in pattern.segments.enumerated() {
            guard case .mixed(let pieces) = segment else { continue }
            mixed[index] = SegmentMatcher(pieces, checks: checks, ignoresCase: declaration.ignoresCase)
        }
        self.mixed = mixed
        mayReadQuery = !pattern.query.isEmpty || pattern.takesRemainingItems
        sources = Self.sources(declaration, pattern, destination)
    }

    func check(_ capture: String) -> ParameterCheck { checks[capture] ?? .string }

    /// Whether a capture is a secret parameter of the destination. Which destination a URL names itself is not known here.
    func isSecret(_ capture: String) -> Bool { destination?.parameter(capture)?.declaration.isSecret ?? false }

    private static func sources(
        _ declaration: RouteDeclaration,
        _ pattern: RoutePattern,
        _ destination: CompiledDestination?
    ) -> [Source]? {
        guard let destination, !destination.hasVariantDefaults, pattern.fragment == nil else { return nil }
        for item in pattern.query {
            guard case .capture(_, isOptional: true, _) = item.value else { return nil }
        }
        let run = pattern.segments.firstIndex { if case .anyRun = $0 { true } else { false } }
        if let run, case .anyRun(capture: .some) = pattern.segments[run] { return nil }
        var segments: [String: Int] = [:]
        for (index, segment) in pattern.segments.enumerated() {
            switch segment {
            case .capture(let name):
                segments[name] = index > run ?? .max ? index - pattern.segments.count : index
            case .mixed: return nil
            case .constant, .anyOne, .anyRun: break
            }
        }
        return destination.parameters.map { parameter in
            let name = parameter.declaration.name
            if let index = segments[name] { return .segment(index) }
            if let value = declaration.parameters[name] {
                return .fixed(parameter.check.canonical(value.normalizedNFC) ?? value)
            }
            return parameter.declaration.defaultValue.map(Source.fixed) ?? .absent
        }
    }

    /// Whether it may take a URL whose path begins with these segments, or consists of them, in upper or lower case.
    func mayTake(pathOf segments: [String], isWhole: Bool) -> Bool {
        for (index, segment) in pattern.segments.enumerated() {
            if case .anyRun = segment { return true }
            guard index < segments.count else { return !isWhole }
            guard case .constant(let text) = segment else { continue }
            if text.lowercased() != segments[index].lowercased() { return false }
        }
        return pattern.segments.count == segments.count || pattern.segments.count > segments.count && !isWhole
    }
}
