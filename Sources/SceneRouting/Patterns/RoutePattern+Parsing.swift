internal import Basics

extension RoutePattern {
    /// Parses a pattern as written in a manifest.
    /// - Throws: a ``RoutePatternError`` that says what is wrong and what would be right.
    init(_ source: String) throws(RoutePatternError) {
        guard source.utf8.count <= RoutingURL.maximumLength else {
            throw RoutePatternError(reason: "the pattern is longer than \(RoutingURL.maximumLength) bytes")
        }
        if let bad = source.unicodeScalars.first(where: { $0.value <= 0x20 || $0.value == 0x7F || $0 == "\\" }) {
            throw RoutePatternError(
                reason: "the character U+\(String(bad.value, radix: 16, uppercase: true)) must be percent-encoded"
            )
        }
        var rest = source[...]
        var fragmentText: Substring?
        if let hash = rest.firstIndex(of: "#") {
            fragmentText = rest[rest.index(after: hash)...]
            rest = rest[..<hash]
        }
        var queryText: Substring?
        if let mark = Self.queryStart(rest) {
            queryText = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        let (origin, host, path) = try Self.splitOrigin(rest)
        self.origin = origin
        segments = []
        if let host, !host.isEmpty { segments.append(try Self.segment(host)) }
        var pathPart = path.dropFirst()
        if !pathPart.isEmpty {
            if pathPart.last == "/" { pathPart = pathPart.dropLast() }
            for part in pathPart.split(separator: "/", omittingEmptySubsequences: false) {
                segments.append(try Self.segment(part))
            }
        }
        guard segments.count <= RoutingURL.maximumSegments else {
            throw RoutePatternError(reason: "the path has more than \(RoutingURL.maximumSegments) segments")
        }
        let runs = segments.filter { if case .anyRun = $0 { true } else { false } }
        guard runs.count <= 1 else {
            throw RoutePatternError(reason: "'**' appears more than once; it is allowed once in the path")
        }
        (query, takesRemainingItems) = try Self.items(queryText)
        fragment = nil
        if let fragmentText {
            switch try Self.segment(fragmentText) {
            case .constant(let text): fragment = .constant(text)
            case .capture(let name): fragment = .capture(name)
            default:
                throw RoutePatternError(reason: "the fragment must be a constant or one capture, such as #{section}")
            }
        }
        var seen: Set<String> = []
        for name in captures where !seen.insert(name).inserted {
            throw RoutePatternError(reason: "'{\(name)}' is captured twice")
        }
    }

    /// The `?` that begins the query; one within braces does not.
    private static func queryStart(_ text: Substring) -> Substring.Index? {
        var isInBraces = false
        for index in text.indices {
            switch text[index] {
            case "{": isInBraces = true
            case "}": isInBraces = false
            case "?" where !isInBraces: return index
            default: break
            }
        }
        return nil
    }

    private static func splitOrigin(
        _ text: Substring
    ) throws(RoutePatternError) -> (origin: Origin, host: Substring?, path: Substring) {
        if text.first == "/" { return (.web(scheme: "https", domain: nil), nil, text) }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            throw RoutePatternError(reason: wrongOrigin(text))
        }
        let scheme = text[..<colon].lowercased()
        let authorityAndPath = text[text.index(colon, offsetBy: 3)...]
        let slash = authorityAndPath.firstIndex(of: "/") ?? authorityAndPath.endIndex
        let host = authorityAndPath[..<slash]
        let path = authorityAndPath[slash...]
        guard scheme == "https" || scheme == "http" else { return (.scheme(scheme), host, path) }
        let name = host.hasPrefix("*.") ? host.dropFirst(2) : host
        guard let canonical = HostName.canonical(String(name)), !canonical.contains("*") else {
            throw RoutePatternError(reason: "'\(host)' is not a domain")
        }
        return (.web(scheme: scheme, domain: host.hasPrefix("*.") ? "*." + canonical : canonical), nil, path)
    }

    /// What to write instead of a pattern that does not begin as one must.
    private static func wrongOrigin(_ text: Substring) -> String {
        guard let colon = text.firstIndex(of: ":"), RoutingURL.isScheme(text[..<colon].utf8) else {
            return "the pattern must begin with '/', 'https://' or one of the app's schemes, such as 'myapp://'"
        }
        let scheme = text[..<colon].lowercased()
        guard scheme != "https", scheme != "http" else {
            return "'//' and a domain must follow '\(scheme):', as in '\(scheme)://shop.example/cart'"
        }
        let path = text[text.index(after: colon)...].drop { $0 == "/" }
        return "write '\("\(scheme)://\(path)".echoed)'; it takes URLs without '//' or with one '/', too"
    }

    private static func segment(_ text: Substring) throws(RoutePatternError) -> Segment {
        if text == "*" { return .anyOne }
        if text == "**" { return .anyRun(capture: nil) }
        if text.hasPrefix("{"), text.hasSuffix("**}"), text.utf8.count > 4 {
            return .anyRun(capture: try captureName(text.dropFirst().dropLast(3)))
        }
        let pieces = try self.pieces(text)
        switch pieces.count {
        case 0: return .constant("")
        case 1:
            switch pieces[0] {
            case .constant(let constant): return .constant(constant)
            case .capture(let name): return .capture(name)
            }
        default: return .mixed(pieces)
        }
    }

    private static func pieces(_ text: Substring) throws(RoutePatternError) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text
        while !rest.isEmpty {
            guard let open = rest.firstIndex(of: "{") else {
                pieces.append(.constant(try constant(rest)))
                break
            }
            if open > rest.startIndex { pieces.append(.constant(try constant(rest[..<open]))) }
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw RoutePatternError(reason: "'{' without '}' in '\(text)'")
            }
            if case .capture = pieces.last {
                throw RoutePatternError(
                    reason: "two captures follow each other in '\(text)'; put a constant between them"
                )
            }
            pieces.append(.capture(try captureName(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        guard pieces.count <= 16 else { throw RoutePatternError(reason: "too many captures in '\(text)'; at most 8") }
        return pieces
    }

    private static func constant(_ text: Substring) throws(RoutePatternError) -> String {
        guard !text.contains("}") else { throw RoutePatternError(reason: "'}' without '{' in '\(text)'") }
        guard let bytes = PercentEncoding.decode(text.utf8), let decoded = String(validating: bytes, as: UTF8.self)
        else { throw RoutePatternError(reason: "'\(text)' is not valid percent-encoded UTF-8") }
        return decoded.normalizedNFC
    }

    private static func captureName(_ text: Substring) throws(RoutePatternError) -> String {
        let isName =
            text.utf8.first.map(ASCII.isLetter) ?? false
            && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
        guard isName else {
            throw RoutePatternError(
                reason: "'{\(text)}' is not a capture; a name is a letter, then letters, digits and '_'"
            )
        }
        return String(text)
    }

    private static func items(_ text: Substring?) throws(RoutePatternError) -> ([QueryItem], Bool) {
        guard let text, !text.isEmpty else { return ([], false) }
        var items: [QueryItem] = []
        let parts = text.split(separator: "&", omittingEmptySubsequences: false)
        guard parts.count <= RoutingURL.maximumQueryItems else {
            throw RoutePatternError(reason: "the query has more than \(RoutingURL.maximumQueryItems) items")
        }
        for (index, part) in parts.enumerated() {
            if part == "**" {
                guard index == parts.count - 1 else { throw RoutePatternError(reason: "'**' must end the query") }
                return (items, true)
            }
            let equals = part.firstIndex(of: "=") ?? part.endIndex
            let name = try constant(part[..<equals])
            guard !name.isEmpty else { throw RoutePatternError(reason: "a query item has no name") }
            guard !items.contains(where: { $0.name == name }) else {
                throw RoutePatternError(
                    reason: "the query item '\(name)' appears twice; write {name*} for a repeated one"
                )
            }
            let value = equals < part.endIndex ? part[part.index(after: equals)...] : ""
            items.append(QueryItem(name: name, value: try itemValue(value)))
        }
        return (items, false)
    }

    private static func itemValue(_ text: Substring) throws(RoutePatternError) -> QueryItem.Value {
        if text == "*" { return .any }
        guard text.hasPrefix("{"), text.hasSuffix("}") else {
            guard !text.contains("{") else {
                throw RoutePatternError(reason: "'\(text)' must be a constant or one capture")
            }
            return .constant(try constant(text))
        }
        var name = text.dropFirst().dropLast()
        let isRepeated = name.hasSuffix("*")
        if isRepeated { name = name.dropLast() }
        let isOptional = name.hasSuffix("?")
        if isOptional { name = name.dropLast() }
        return .capture(try captureName(name), isOptional: isOptional, isRepeated: isRepeated)
    }
}
