/// Finds routes that others come before, so that they never take a URL, or that are tried in an order that nobody intended.
extension ManifestCompilation {
    private func key(of route: CompiledRoute) -> String {
        "routes[\(positions[ObjectIdentifier(route)] ?? 0)].pattern"
    }

    mutating func findRoutesThatNeverMatch() {
        findRoutesOfTakenWords()
        for route in routes {
            let pattern = route.declaration.pattern
            if case .web(_, domain: nil) = route.pattern.origin, manifest.associatedDomains.isEmpty {
                warning(
                    key(of: route),
                    "'\(pattern)' can never match: the app has no associated domain",
                    expected: "an associated domain, or a pattern with one of the app's schemes"
                )
            }
            for (name, check) in route.checks.sorted(by: { $0.key < $1.key }) where check.takesNothing {
                warning(
                    key(of: route),
                    "'\(pattern)' can never match: '\(name)' must be \(check.expectation), and nothing is"
                )
            }
        }
        var earlier: [PatternShape: [CompiledRoute]] = [:]
        var wide = WideRoutes()
        for route in routes {
            let shape = PatternShape(route)
            defer { wide.append(route) }
            if let other = earlier[shape]?.prefix(64).first(where: { $0.takesAll(of: route) }) {
                let isMutual = route.specificity.parts == other.specificity.parts
                warning(
                    key(of: route),
                    isMutual
                        ? "'\(route.declaration.pattern)' and '\(other.declaration.pattern)' of \(other.declaration.destination) "
                            + "are equally specific, so this one can never match"
                        : "'\(route.declaration.pattern)' can never match: '\(other.declaration.pattern)' takes all its URLs",
                    expected: "patterns that differ"
                )
            } else if let other = wide.first(before: route) {
                warning(
                    key(of: route),
                    "'\(route.declaration.pattern)' can never match: '\(other.declaration.pattern)' of \(other.declaration.destination) "
                        + "is more specific and takes all its URLs",
                    expected: "a route that the other leaves something to"
                )
            }
            earlier[shape, default: []].append(route)
        }
    }

    /// Finds routes with a capture of which others, which are tried before, take each word as a constant.
    private mutating func findRoutesOfTakenWords() {
        var earlier: [PatternShape: [CompiledRoute]] = [:]
        // More words than anybody writes.
        var budget = 20_000
        for route in routes {
            for (index, segment) in route.pattern.segments.enumerated() {
                guard case .capture(let name) = segment, case .oneOf(let words) = route.check(name), !words.isEmpty
                else {
                    continue
                }
                budget -= words.count
                guard budget > 0 else { return }
                var others: [CompiledRoute] = []
                for word in words {
                    let shape = PatternShape(route.taking(word, at: index))
                    guard let other = earlier[shape]?.prefix(64).first(where: { $0.takesAll(of: route) }) else { break }
                    others.append(other)
                }
                guard others.count == words.count else { continue }
                let patterns = others.prefix(4).map { "'\($0.declaration.pattern)'" }.joined(separator: ", ")
                warning(
                    key(of: route),
                    "'\(route.declaration.pattern)' can never match: for each word of '\(name)' there is a more specific route, "
                        + patterns + (others.count > 4 ? " …" : ""),
                    expected: "a word that the others leave"
                )
                break
            }
            earlier[PatternShape(route), default: []].append(route)
        }
    }

    /// Finds routes that differ only in types of the same rank with common values. Between them the text of the type decides,
    /// which nobody intended.
    mutating func findEquallySpecificRoutes() {
        var groups: [PatternShape: [CompiledRoute]] = [:]
        for route in routes {
            let shape = PatternShape(route, withTypes: false)
            for other in groups[shape, default: []].prefix(64)
            where PatternShape(other) != PatternShape(route) && other.sharesValues(with: route) {
                warning(
                    key(of: route),
                    "'\(route.declaration.pattern)' of \(route.declaration.destination) and "
                        + "'\(other.declaration.pattern)' of \(other.declaration.destination) are equally specific "
                        + "and take some of the same URLs",
                    expected: "types without common values"
                )
            }
            groups[shape, default: []].append(route)
        }
    }
}

/// Routes in the order in which they are tried, of which one may take all that a later one could, though it has another shape: a capture
/// of any text comes before `*`, and what follows does not matter then.
private struct WideRoutes {
    private struct Group: Hashable {
        let origin: RoutePattern.Origin
        let count: Int
        /// The first segment in lower case; `nil` if it is no constant.
        let first: String?
    }

    private var groups: [Group: [CompiledRoute]] = [:]
    /// How many routes may still be looked at: more than a file has that somebody wrote.
    private var budget = 200_000

    private static func first(of route: CompiledRoute) -> String? {
        if case .constant(let text)? = route.pattern.segments.first { text.lowercased() } else { nil }
    }

    private static func group(_ route: CompiledRoute, _ first: String?) -> Group {
        Group(origin: route.pattern.origin, count: route.pattern.segments.count, first: first)
    }

    mutating func append(_ route: CompiledRoute) {
        let isConstant = route.pattern.segments.allSatisfy { if case .constant = $0 { true } else { false } }
        guard !isConstant else { return }
        groups[Self.group(route, Self.first(of: route)), default: []].append(route)
    }

    /// The first of those before `route` that takes all its URLs.
    mutating func first(before route: CompiledRoute) -> CompiledRoute? {
        for first in Set([nil, Self.first(of: route)]) {
            for other in groups[Self.group(route, first)] ?? [] {
                budget -= 1
                guard budget > 0 else { return nil }
                if other.takesPath(of: route), other.takesAll(of: route) { return other }
            }
        }
        return nil
    }
}

/// The same for routes that take URLs of the same shape.
private struct PatternShape: Hashable {
    enum Segment: Hashable {
        case constant(String)
        case part(Specificity.Part)
    }

    let origin: RoutePattern.Origin
    let segments: [Segment]

    init(_ route: CompiledRoute, withTypes: Bool = true) {
        origin = route.pattern.origin
        segments = route.pattern.segments.enumerated().map { index, segment in
            let folds = route.declaration.ignoresCase || index == 0 && route.pattern.isCustomScheme
            if case .constant(let text) = segment { return .constant(folds ? "~" + text.lowercased() : "=" + text) }
            var part = Specificity.part(segment, ignoresCase: folds, checks: route.checks)
            if !withTypes, case .capture = segment { part.text = "" }
            return .part(part)
        }
    }
}

extension CompiledRoute {
    /// The same with a constant in the place of a segment.
    fileprivate func taking(_ word: String, at index: Int) -> CompiledRoute {
        var pattern = pattern
        pattern.segments[index] = .constant(word)
        return CompiledRoute(
            declaration: declaration,
            pattern: pattern,
            destination: destination,
            destinationCapture: destinationCapture,
            checks: checks
        )
    }

    /// Whether it takes every URL that the other takes, provided that their paths fit the same URLs.
    ///
    /// - Parameter areValuesRight: Whether what they capture behind the path counts as right for either.
    fileprivate func takesAll(of other: CompiledRoute, provided areValuesRight: Bool = false) -> Bool {
        guard
            declaration.markets.isEmpty
                || !other.declaration.markets.isEmpty
                    && Set(declaration.markets).isSuperset(of: other.declaration.markets),
            declaration.locales.isEmpty
                || !other.declaration.locales.isEmpty
                    && Set(declaration.locales).isSuperset(of: other.declaration.locales),
            declaration.resolvesElsewhere || !other.declaration.resolvesElsewhere || !hasVariants
        else { return false }
        func takesAll(_ name: String, of otherCheck: ParameterCheck) -> Bool {
            areValuesRight || check(name).takesAll(of: otherCheck)
        }
        switch (pattern.fragment, other.pattern.fragment) {
        case (nil, _): break
        case (.capture(let name)?, .capture(let same)?) where name == same && takesAll(name, of: other.check(same)):
            break
        case (.constant(let mine)?, .constant(let theirs)?) where mine == theirs: break
        default: return false
        }
        return pattern.query.allSatisfy { item in
            let theirs = other.pattern.query.first { $0.name == item.name && $0.value == item.value }
            guard case .capture(let name, let isOptional, _) = item.value else { return theirs != nil }
            // What the other does not look at may be any text.
            return theirs == nil ? isOptional && takesAll(name, of: .string) : takesAll(name, of: other.check(name))
        }
    }

    /// Whether it takes every path that the other takes, segment by segment.
    fileprivate func takesPath(of other: CompiledRoute) -> Bool {
        pattern.segments.indices.allSatisfy { index in
            func folds(_ route: CompiledRoute) -> Bool {
                route.declaration.ignoresCase || index == 0 && route.pattern.isCustomScheme
            }
            switch (pattern.segments[index], other.pattern.segments[index]) {
            case (.constant(let mine), .constant(let theirs)):
                return folds(self) ? mine.lowercased() == theirs.lowercased() : mine == theirs && !folds(other)
            case (.anyRun(capture: nil), .anyRun): return true
            case (.anyRun(capture: let mine?), .anyRun(capture: let theirs?)): return check(mine) == other.check(theirs)
            case (.anyRun, _), (_, .anyRun): return false
            case (.anyOne, _): return true
            case (.capture(let mine), .capture(let theirs)): return check(mine).takesAll(of: other.check(theirs))
            case (.capture(let mine), .constant(let text)):
                return check(mine) == .string || !folds(other) && check(mine).canonical(text) != nil
            case (.capture(let mine), .anyOne), (.capture(let mine), .mixed): return check(mine) == .string
            case (.mixed, .mixed):
                let parts = [self, other].map {
                    Specificity.part($0.pattern.segments[index], ignoresCase: folds($0), checks: $0.checks)
                }
                return parts[0] == parts[1]
            case (.mixed, _), (.constant, _): return false
            }
        }
    }

    /// Whether each capture has values in common with that of the same segment of the other route, and neither route is set
    /// apart by its query, fragment, market or locale.
    fileprivate func sharesValues(with other: CompiledRoute) -> Bool {
        guard takesAll(of: other, provided: true) || other.takesAll(of: self, provided: true) else { return false }
        return zip(pattern.segments, other.pattern.segments).allSatisfy { mine, theirs in
            guard case .capture(let one) = mine, case .capture(let two) = theirs else { return true }
            return check(one).sharesValues(with: other.check(two))
        }
    }
}

extension ParameterCheck {
    /// Whether every value of the other is one of its own, as far as that is easily seen.
    fileprivate func takesAll(of other: ParameterCheck) -> Bool {
        switch (self, other) {
        case (.string, _), (.integer(nil, nil), .integer): true
        case (_, .oneOf(let words)): words.allSatisfy { canonical($0) != nil }
        default: self == other
        }
    }
}
