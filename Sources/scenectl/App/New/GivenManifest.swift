internal import CommandConsole
internal import SceneManifest
internal import SceneRouting
internal import StrictJSON

/// A manifest that a new package begins with, as its file is to be in the package.
struct GivenManifest {
    let manifest: AppManifest
    /// The file's text: as it was given, or as JSON with the association files in it that it names, because what a program
    /// embeds is one file.
    let text: String
    /// Whether it names other files.
    let namedFiles: Bool

    /// - Parameter file: A manifest, YAML or JSON, or an example by its name.
    /// - Throws: Its problems, or why it cannot be read.
    init(_ file: String) throws(CommandError) {
        let given: String
        (manifest, given) = try ManifestFile.readText(file)
        guard let json = try? AppManifest.json(of: given), case .object(var object)? = try? JSONValue(parsing: json),
            case .object(var domains)? = object["associatedDomains"],
            domains.contains(where: { $0.value.stringValue != nil })
        else {
            (text, namedFiles) = (given, false)
            return
        }
        for domain in manifest.associatedDomains where domains[domain.domain]?.stringValue != nil {
            // A manifest that was read has JSON here.
            domains[domain.domain] = try? JSONValue(parsing: domain.association)
        }
        object["associatedDomains"] = .object(domains)
        (text, namedFiles) = ("\(JSONValue.object(object).text(.indented))\n", true)
    }
}
