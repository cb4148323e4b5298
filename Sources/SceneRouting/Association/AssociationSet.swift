/// An app and the domains that vouch for it.
struct AssociationSet: Sendable {
    struct Domain: Sendable {
        /// In canonical form; `*.example.com` for every subdomain.
        var name: String
        var file: AssociationFile
    }

    let appIDs: [String]
    /// Named domains before wildcard ones, longer names before shorter.
    let domains: [Domain]

    init(appIDs: [String], domains: [Domain]) {
        self.appIDs = appIDs
        self.domains = domains.sorted { one, other in
            let isWild = (one.name.hasPrefix("*."), other.name.hasPrefix("*."))
            if isWild.0 != isWild.1 { return isWild.1 }
            return one.name.utf8.count > other.name.utf8.count
        }
    }

    /// The decision of the file of the first domain that the URL's host belongs to.
    func decide(_ text: String) -> AssociationDecision {
        guard let url = AssociationURL(text) else { return .noMatch }
        guard let domain = domains.first(where: { HostName.matches(url.host, $0.name) }) else { return .noMatch }
        return domain.file.decide(url, appIDs: appIDs, domain: domain.name)
    }
}
