internal import Basics

/// Says what the time would have to be.
extension PolicyTable {
    /// So many periods are named.
    private static let mostLimits = 3

    /// Which periods keep a predicate from holding, and what the time is: `not before 2026-11-28T00:00:00Z; it is
    /// 2026-11-27T08:00:00Z`. `nil` if it holds, or if none of its periods is to blame.
    ///
    /// No secret is told: none can begin or end a period (<doc:/SceneRuntime/Secrets>).
    func untimeliness(
        of predicate: FactPredicate,
        _ context: RoutingContext,
        _ parameters: [String: String]
    ) -> String? {
        var limits: [String] = []
        collect(from: predicate, toHold: true, context, parameters, into: &limits)
        guard !limits.isEmpty else { return nil }
        if limits.count > Self.mostLimits { limits[Self.mostLimits] = "more" }
        return "\(limits.joined(separator: ", and ")); it is \(Instant.exactText(context.time))"
    }

    /// Collects what the periods ask of the time that keep a predicate from holding, or, if it is denied, from not holding.
    private func collect(
        from predicate: FactPredicate,
        toHold wanted: Bool,
        _ context: RoutingContext,
        _ parameters: [String: String],
        into limits: inout [String]
    ) {
        guard limits.count <= Self.mostLimits, holds(predicate, context, parameters) != wanted else { return }
        switch predicate {
        case .period(let from, let until):
            let limit = limit(from: from, until: until, isIn: wanted, context, parameters)
            if !limits.contains(limit) { limits.append(limit) }
        case .all(let parts), .any(let parts):
            for part in parts { collect(from: part, toHold: wanted, context, parameters, into: &limits) }
        case .not(let inner): collect(from: inner, toHold: !wanted, context, parameters, into: &limits)
        case .always, .signedIn, .freshSignIn, .present, .compare, .contains, .oneOf, .appVersion: break
        }
    }

    /// What a period asks of the time that has to be in it, or outside.
    private func limit(
        from: FactPredicate.Moment?,
        until: FactPredicate.Moment?,
        isIn: Bool,
        _ context: RoutingContext,
        _ parameters: [String: String]
    ) -> String {
        for case let moment? in [from, until] where seconds(moment, context, parameters) == nil {
            return "not while '\(moment.fact ?? moment.parameter ?? "")' has no date"
        }
        func text(_ moment: FactPredicate.Moment) -> String {
            let date = seconds(moment, context, parameters).map(Instant.exactText) ?? ""
            return moment.origin.map { "\(date) (\($0))" } ?? date
        }
        return switch (from, until) {
        case (let from?, let until?): "\(isIn ? "only" : "not") from \(text(from)) until \(text(until))"
        case (let from?, nil): "\(isIn ? "not" : "only") before \(text(from))"
        case (nil, let until?): "\(isIn ? "only" : "not") before \(text(until))"
        // A period without ends is always.
        case (nil, nil): "never"
        }
    }
}

extension FactPredicate.Moment {
    /// What it is relative to, and by how much: `departure minus 24h`; `nil` for a date.
    fileprivate var origin: String? {
        switch self {
        case .date: nil
        case .fact(let name, let offset), .parameter(let name, let offset):
            switch offset {
            case .zero: name
            case ..<Duration.zero: "\(name) minus \((.zero - offset).words)"
            default: "\(name) plus \(offset.words)"
            }
        }
    }
}

extension Instant {
    /// A time in seconds since 1970 as text, to the millisecond if it is none to the second.
    fileprivate static func exactText(_ seconds: Double) -> String {
        let milliseconds = min(Int(((seconds - seconds.rounded(.down)) * 1000).rounded()), 999)
        guard milliseconds > 0 else { return text(seconds) }
        let digits = String(milliseconds)
        return "\(text(seconds).dropLast()).\(String(repeating: "0", count: 3 - digits.count))\(digits)Z"
    }
}
