internal import Configuration
internal import Glibc
internal import SceneManifest
internal import SceneRouting
internal import SystemPackage

/// The configuration file: its values for the reader, and the place of each.
struct SettingsFile: Sendable {
    let path: String
    let provider: any ConfigProvider
    /// The places by key, such as `limits.connections`.
    let places: [String: ManifestNode.Place]

    /// The longest file that is read, in bytes; it is written by hand.
    private static let limit = 1 << 20

    /// Reads the file `named`, or the `usual` one if it exists. Adds what is wrong with its keys to `problems`.
    /// - Throws: ``SettingProblems`` if the file cannot be read or parsed.
    static func read(
        _ named: String?,
        usual: String,
        problems: inout [String]
    ) async throws(SettingProblems) -> SettingsFile {
        let path = named ?? usual
        if named == nil, access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR {
            return SettingsFile(path: path, provider: InMemoryProvider(values: [:]), places: [:])
        }
        let text: String
        do {
            text = try TextFile.read(path, limit: limit)
        } catch {
            throw SettingProblems(lines: ["\(error)"])
        }
        // A file with nothing but comments is valid, but the parser takes it for a null.
        if text.split(separator: "\n").allSatisfy({ $0.first { $0 != " " } == "#" || $0.allSatisfy { $0 == " " } }) {
            return SettingsFile(path: path, provider: InMemoryProvider(values: [:]), places: [:])
        }
        let root: ManifestNode
        do {
            root = try ManifestText.parse(text)
        } catch {
            throw SettingProblems(lines: [
                place(path, error.line ?? 1, error.column ?? 1) + ": \(error.message)"
                    + (error.expected.map { "; expected \($0)" } ?? "")
            ])
        }
        guard let members = root.members else {
            throw SettingProblems(
                lines: [
                    place(path, root.place.line, root.place.column) + ": found \(root.kind), expected settings"
                ]
            )
        }
        var places: [String: ManifestNode.Place] = [:]
        collect(members, under: "", path: path, into: &places, problems: &problems)
        do {
            let provider = try await FileProvider<YAMLSnapshot>(filePath: FilePath(path))
            return SettingsFile(path: path, provider: provider, places: places)
        } catch {
            throw SettingProblems(lines: ["\(path): \(error)"])
        }
    }

    private static func collect(
        _ members: [ManifestNode.Member],
        under prefix: String,
        path: String,
        into places: inout [String: ManifestNode.Place],
        problems: inout [String]
    ) {
        let all = SettingKey.allCases.map(\.rawValue)
        for member in members {
            let key = prefix + member.key
            let here = place(path, member.place.line, member.place.column)
            if all.contains(key) {
                places[key] = member.place
                if member.value.isNull { problems.append("\(here): \(key): the value is missing") }
                if member.value.members != nil {
                    problems.append("\(here): \(key): this setting takes no settings below it")
                }
            } else if all.contains(where: { $0.hasPrefix(key + ".") }) {
                guard let below = member.value.members else {
                    problems.append("\(here): \(key): found \(member.value.kind), expected settings below it")
                    continue
                }
                collect(below, under: key + ".", path: path, into: &places, problems: &problems)
            } else {
                let groups = all.compactMap { key in key.firstIndex(of: ".").map { String(key[..<$0]) } }
                problems.append("\(here): " + SettingsReader.unknown(key, among: all + groups))
            }
        }
    }

    private static func place(_ path: String, _ line: Int, _ column: Int) -> String { "\(path):\(line):\(column)" }
}
