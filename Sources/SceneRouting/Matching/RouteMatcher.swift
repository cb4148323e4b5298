internal import Basics

/// Tries one route on one URL, part by part, and says why it does not match.
///
/// It is the definition of matching: ``RouteTable`` finds the same route, only faster, as trying every route with this in
/// the order of specificity. Explanations and the table's tests use it.
struct RouteMatcher {
    enum Result: Hashable, Sendable {
        /// The route takes the URL, with these captures in canonical form.
        case match([String: String])
        /// The URL has another shape.
        case mismatch(part: String, reason: String)
        /// The URL has the right shape, but a value is missing or not allowed.
        case invalid(parameter: String, reason: String)
    }

    let route: CompiledRoute

    /// - Parameter note: Called with every capture as it stands in the URL, whether or not its type allows it, once the path fits.
    func attempt(_ url: RoutingURL, domains: Set<String>, note: (String, String) -> Void = { _, _ in }) -> Result {
        if let reason = originMismatch(url, domains: domains) { return .mismatch(part: "origin", reason: reason) }
        var captures: [String: String] = [:]
        var firstInvalid: Result?
        func capture(_ name: String, _ value: String) {
            note(name, value)
            if let canonical = route.check(name).canonical(value) {
                captures[name] = canonical
            } else if firstInvalid == nil {
                let reason = route.check(name).objection(to: route.isSecret(name) ? nil : value)
                firstInvalid = .invalid(parameter: name, reason: reason)
            }
        }
        if let mismatch = matchPath(url, capture: capture) { return mismatch }
        for item in route.pattern.query {
            let values = url.query.filter { $0.name == item.name }.map(\.value)
            switch item.value {
            case .constant(let constant):
                guard values.contains(constant) else {
                    return .mismatch(part: "query", reason: "the item \(item.name)=\(constant) is missing")
                }
            case .any:
                guard !values.isEmpty else {
                    return .mismatch(part: "query", reason: "the item \(item.name) is missing")
                }
            case .capture(let name, let isOptional, let isRepeated):
                if values.isEmpty {
                    if !isOptional, firstInvalid == nil {
                        let expected = route.check(name).expectation
                        let reason = "the query item '\(item.name)' is missing; expected \(expected)"
                        firstInvalid = .invalid(parameter: name, reason: reason)
                    }
                } else if isRepeated {
                    capture(name, ParameterCheck.list(values))
                } else if values.count > 1 {
                    if firstInvalid == nil {
                        let reason = "the query item '\(item.name)' appears \(values.count) times; it is allowed once"
                        firstInvalid = .invalid(parameter: name, reason: reason)
                    }
                } else if !(values[0].isEmpty && isOptional) {
                    capture(name, values[0])
                }
            }
        }
        switch route.pattern.fragment {
        case nil: break
        case .constant(let constant):
            guard url.fragment == constant else {
                return .mismatch(part: "fragment", reason: "the fragment is not '\(constant)'")
            }
        case .capture(let name):
            guard let fragment = url.fragment, !fragment.isEmpty else {
                return .mismatch(part: "fragment", reason: "there is no fragment")
            }
            capture(name, fragment)
        }
        return firstInvalid ?? .match(captures)
    }

    private func originMismatch(_ url: RoutingURL, domains: Set<String>) -> String? {
        switch route.pattern.origin {
        case .scheme(let scheme):
            return url.scheme == scheme ? nil : "the scheme is not \(scheme)"
        case .web(let scheme, let domain):
            guard url.scheme == scheme else { return "the scheme is not \(scheme)" }
            guard let domain else {
                let isOurs = domains.contains { HostName.matches(url.host, $0) }
                return isOurs ? nil : "'\(url.host)' is not an associated domain"
            }
            return HostName.matches(url.host, domain) ? nil : "the domain is not \(domain)"
        }
    }

    /// Why the path does not fit; `nil` if it does.
    private func matchPath(_ url: RoutingURL, capture: (String, String) -> Void) -> Result? {
        let patterns = route.pattern.segments
        let run = patterns.firstIndex { if case .anyRun = $0 { true } else { false } }
        let fixed = patterns.count - (run == nil ? 0 : 1)
        let segments = url.segments
        guard run == nil ? segments.count == fixed : segments.count >= fixed else {
            return .mismatch(
                part: "path",
                reason: "the path has \(segments.count) segments, not \(run == nil ? "" : "at least ")\(fixed)"
            )
        }
        let runLength = segments.count - fixed
        var position = 0
        for (index, pattern) in patterns.enumerated() {
            if index == run {
                if case .anyRun(capture: let name?) = pattern {
                    capture(name, segments[position..<position + runLength].joined(separator: "/"))
                }
                position += runLength
                continue
            }
            let segment = segments[position]
            position += 1
            let isHost = index == 0 && route.pattern.isCustomScheme
            switch pattern {
            case .constant(let constant):
                let isEqual =
                    isHost || route.declaration.ignoresCase
                    ? segment.lowercased() == constant.lowercased() : segment == constant
                guard isEqual else {
                    return .mismatch(part: "path", reason: "segment \(position) is not '\(constant)'")
                }
            case .anyOne, .anyRun:
                guard !segment.isEmpty else { return .mismatch(part: "path", reason: "segment \(position) is empty") }
            case .capture(let name):
                guard !segment.isEmpty else { return .mismatch(part: "path", reason: "segment \(position) is empty") }
                capture(name, segment)
            case .mixed:
                guard let values = route.mixed[index]?.match(segment) else {
                    return .mismatch(part: "path", reason: "segment \(position) does not have the shape of the pattern")
                }
                for (name, value) in values { capture(name, value) }
            }
        }
        return nil
    }
}
