/// An app and the domains that vouch for it.
struct AssociationSet: Sendable {
    struct Domain: Sendable {
        /// In canonical form; `*.example.com` for every subdomain.
        var name: String
        var file: AssociationFile
    }

    let appIDs: [String]
    /// A named domain before a wildcard one, a longer wildcard before a shorter.
    let domains: [Domain]

    init(appIDs: [String], domains: [Domain]) {
        self.appIDs = appIDs
        self.domains = domains.sorted { one, other in
            let isWild = (one.name.hasPrefix("*."), other.name.hasPrefix("*."))
            if isWild.0 != isWild.1 { return isWild.1 }
            return one.name.utf8.count > other.name.utf8.count
        }
    }

    /// The first domain that the URL's host is, and its file's decision.
    func decide(_ text: String) -> AssociationDecision {
        guard let url = AssociationURL(text) else { return .noMatch }
        guard let domain = domains.first(where: { HostName.matches(url.host, $0.name) }) else { return .noMatch }
        return domain.file.decide(url, appIDs: appIDs, domain: domain.name)
    }
}

/// Whether a URL belongs to an app, as its domain's association file has it.
public enum AssociationDecision: Hashable, Sendable {
    /// It opens the app; `domain` is the associated domain that says so.
    case match(domain: String)
    /// A rule says that it does not.
    case exclude(component: String)
    /// No rule speaks of it.
    case noMatch
}

extension AssociationFile {
    /// Decides about a URL for one app.
    /// - Parameter domain: the domain that the file was read from, perhaps `*.example.com`; the empty text for any.
    public func decide(url: String, appID: String, domain: String) -> AssociationDecision {
        guard let parsed = AssociationURL(url), Self.covers(parsed.host, domain) else { return .noMatch }
        return decide(parsed, appIDs: [appID], domain: domain)
    }

    /// The first rule that fits decides, whatever comes after it.
    func decide(_ url: AssociationURL, appIDs: [String], domain: String) -> AssociationDecision {
        for detail in details where detail.appIDs.contains(where: appIDs.contains) {
            for component in detail.components where component.mismatch(url) == nil {
                return component.excludes ? .exclude(component: component.text) : .match(domain: domain)
            }
        }
        return .noMatch
    }
}
