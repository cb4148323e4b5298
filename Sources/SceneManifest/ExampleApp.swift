public import SceneRouting

/// The apps that ship, as examples to copy. Wherever the file of a manifest is asked for, their names stand for them; a file of
/// such a name in the working directory is `./bank`.
public enum ExampleApp: String, Hashable, Sendable, CaseIterable {
    /// A quick-commerce shop, the app that runs if no other is given.
    case shop
    /// A bank on iPad: a login with a second factor before anything else, accounts in windows of their own, transfers that ask to
    /// sign in again.
    case bank
    /// A club, small, in which much comes over whatever is shown.
    case club

    /// What it shows, in a sentence.
    public var summary: String {
        switch self {
        case .shop:
            "A quick-commerce shop: tabs, gates before cart and checkout, links, pushes, widgets, Spotlight, Handoff."
        case .bank:
            "A bank on iPad: a login with a second factor, windows for accounts that it opens and closes, transfers that ask to sign in again, a gate for each payee, windows that lock."
        case .club:
            "A club, the smallest: a login first, help over whatever is shown, flows that start flows, a key for each locker."
        }
    }

    /// The manifest as YAML.
    public var text: String {
        let bytes =
            switch self {
            case .shop: PackageResources.shop_yaml
            case .bank: PackageResources.bank_yaml
            case .club: PackageResources.club_yaml
            }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The manifest.
    /// - Throws: nothing, because a test reads the same text.
    public func manifest() throws(ManifestProblems) -> AppManifest {
        try AppManifest.read(text, file: "\(rawValue).yaml").manifest
    }

    /// What to say to whoever names an app that is none: `There is no example 'bnak'. Did you mean 'bank'? The examples are …`.
    package static func unknown(_ name: String) -> String {
        let names = allCases.map(\.rawValue)
        let meant = Spelling.nearest(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
        return "There is no example '\(name)'.\(meant) The examples are \(names.joined(separator: ", "))."
    }

    /// Whether a word that stands for a manifest is a name rather than the path of a file.
    package static func isName(_ word: String) -> Bool {
        !word.isEmpty && !word.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
    }
}
