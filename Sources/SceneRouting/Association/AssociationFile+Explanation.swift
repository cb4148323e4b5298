extension AssociationFile {
    /// Explains what ``decide(url:appID:domain:)`` answers: every rule that was tried, and the part that did not fit.
    public func explain(url: String, appID: String, domain: String) -> [RouteExplanation.Step] {
        guard let parsed = AssociationURL(url) else {
            return [Self.step(url, false, "is no http or https URL with a host")]
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
            steps.append(Self.step(component.text, false, "its '\(part)' does not fit"))
        }
        return steps
    }

    private static func step(_ subject: String, _ passed: Bool, _ reason: String) -> RouteExplanation.Step {
        RouteExplanation.Step(kind: .association, subject: subject, passed: passed, reason: reason)
    }

    /// Whether the host belongs to the domain that a file was read from; the empty text stands for any.
    static func covers(_ host: String, _ domain: String) -> Bool {
        guard !domain.isEmpty else { return true }
        let isWild = domain.hasPrefix("*.")
        guard let name = HostName.canonical(isWild ? String(domain.dropFirst(2)) : domain) else { return false }
        return HostName.matches(host, isWild ? "*." + name : name)
    }
}
