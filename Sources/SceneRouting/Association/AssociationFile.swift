internal import StrictJSON

/// An apple-app-site-association file, read as leniently as Apple's devices read it: unknown members are ignored.
///
/// The format: https://developer.apple.com/documentation/bundleresources/applinks and, for `paths`, the Shared Web
/// Credentials and universal links guides before iOS 13. ``AssociationFile/lint(_:)`` reports what is ignored.
package struct AssociationFile: Sendable {
    /// What one app may open, in the order of the file.
    struct Detail: Sendable {
        var appIDs: [String]
        var components: [AssociationComponent]
    }

    let details: [Detail]

    /// The maximum length of a file in bytes, which is that of Apple's content delivery network.
    package static let maximumLength = 128 * 1024

    /// Reads a file.
    /// - Throws: an ``AssociationError`` if the text is not a JSON object or is longer than ``maximumLength``.
    package init(parsing text: String) throws(AssociationError) {
        self.init(try Self.json(text))
    }

    init(_ json: JSONValue) {
        var details: [Detail] = []
        if let links = json["applinks"], links.objectValue != nil {
            let context = AssociationContext(links)
            var budget = AssociationContext.budget
            switch links["details"] {
            case .array(let list):
                for detail in list {
                    details.append(Self.detail(detail, appIDs: Self.appIDs(detail), context, &budget))
                }
            case .object(let byApp):
                // The oldest form: the details of each app under its ID.
                for (appID, value) in byApp { details.append(Self.detail(value, appIDs: [appID], context, &budget)) }
            default: break
            }
        }
        self.details = details
    }

    static func json(_ text: String) throws(AssociationError) -> JSONValue {
        guard text.utf8.count <= maximumLength else {
            throw AssociationError(
                reason: "the file has \(text.utf8.count) bytes; at most \(maximumLength) are allowed",
                line: nil,
                column: nil
            )
        }
        let json: JSONValue
        do {
            json = try JSONValue(parsing: text)
        } catch {
            throw AssociationError(reason: error.reason, line: error.line, column: error.column)
        }
        guard json.objectValue != nil else {
            throw AssociationError(reason: "the file is \(json.typeName), not an object", line: 1, column: 1)
        }
        return json
    }

    static func appIDs(_ detail: JSONValue) -> [String] {
        var appIDs = detail["appIDs"]?.arrayValue?.compactMap(\.stringValue) ?? []
        if let one = detail["appID"]?.stringValue, !appIDs.contains(one) { appIDs.append(one) }
        return appIDs
    }

    private static func detail(
        _ value: JSONValue,
        appIDs: [String],
        _ context: AssociationContext,
        _ budget: inout Int
    ) -> Detail {
        let context = context.adding(defaults: value["defaults"])
        var detail = Detail(appIDs: appIDs, components: [])
        if case .array(let components) = value["components"] {
            for component in components {
                detail.components.append(AssociationComponent(component, context, budget: &budget))
            }
            return detail
        }
        for path in value["paths"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
            detail.components.append(AssociationComponent(legacyPath: path, context, budget: &budget))
        }
        return detail
    }
}

extension AssociationFile {
    /// Decides whether a URL opens one app.
    /// - Parameter domain: the domain that the file was read from, such as `example.com` or `*.example.com`; empty for any.
    package func decide(url: String, appID: String, domain: String) -> AssociationDecision {
        guard let parsed = AssociationURL(url), Self.covers(parsed.host, domain) else { return .noMatch }
        return decide(parsed, appIDs: [appID], domain: domain)
    }

    /// Decides whether a URL opens one of the apps: the first rule that fits decides.
    func decide(_ url: AssociationURL, appIDs: [String], domain: String) -> AssociationDecision {
        for detail in details where detail.appIDs.contains(where: appIDs.contains) {
            for component in detail.components where component.mismatch(url) == nil {
                return component.excludes ? .exclude(component: component.text) : .match(domain: domain)
            }
        }
        return .noMatch
    }

    /// Explains the answer of ``decide(url:appID:domain:)``: every rule that was tried, and which part of it did not fit.
    package func explain(url: String, appID: String, domain: String) -> [RouteExplanation.Step] {
        guard let parsed = AssociationURL(url) else {
            return [Self.step(url, false, "is not an http or https URL with a host")]
        }
        guard Self.covers(parsed.host, domain) else {
            return [Self.step(parsed.host, false, "is not the domain '\(domain)'")]
        }
        return explain(parsed, appIDs: [appID])
    }

    func explain(_ url: AssociationURL, appIDs: [String]) -> [RouteExplanation.Step] {
        let mine = details.filter { $0.appIDs.contains(where: appIDs.contains) }
        guard !mine.isEmpty else {
            return [Self.step(appIDs.joined(separator: ", "), false, "is not named in the association file")]
        }
        var steps: [RouteExplanation.Step] = []
        for component in mine.flatMap(\.components) {
            guard let part = component.mismatch(url) else {
                let reason = component.excludes ? "fits, and excludes the URL" : "fits"
                return steps + [Self.step(component.text, true, reason)]
            }
            steps.append(Self.step(component.text, false, "its '\(part)' does not match"))
        }
        return steps
    }

    private static func step(_ subject: String, _ passed: Bool, _ reason: String) -> RouteExplanation.Step {
        RouteExplanation.Step(kind: .association, subject: subject, passed: passed, reason: reason)
    }

    /// Whether the host belongs to the domain that a file was read from; an empty domain stands for any.
    static func covers(_ host: String, _ domain: String) -> Bool {
        guard !domain.isEmpty else { return true }
        let isWild = domain.hasPrefix("*.")
        guard let name = HostName.canonical(isWild ? String(domain.dropFirst(2)) : domain) else { return false }
        return HostName.matches(host, isWild ? "*." + name : name)
    }
}

/// Why an association file cannot be read.
package struct AssociationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, as a phrase without full stop.
    package let reason: String
    /// The line of the mistake, from 1; `nil` if the mistake has no place.
    package let line: Int?
    /// The column of the mistake in bytes, from 1.
    package let column: Int?

    /// One line: `line 3, column 9: expected ',' or '}', found 'x'`.
    package var description: String {
        guard let line, let column else { return reason }
        return "line \(line), column \(column): \(reason)"
    }
}
