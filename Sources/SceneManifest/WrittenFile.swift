package import SceneRouting
internal import StrictJSON

/// What a file is that people give to a command, by what it looks like: one is easily given for another.
package enum WrittenFile: Hashable, Sendable, CaseIterable {
    /// An app.
    case manifest
    /// A scenario of races.
    case scenario
    /// Calls to be played.
    case script
    /// A history.
    case records

    /// What a value looks like; `nil` for anything else.
    package init?(_ value: ManifestNode) {
        switch value.value {
        case .map(let members): self.init(keys: members.map(\.key))
        case .list(let elements):
            guard case .map(let members)? = elements.first?.value else { return nil }
            self.init(keys: members.map(\.key))
        case .scalar: return nil
        }
    }

    /// What a text looks like, of which the rest may be missing or wrong; `nil` for anything else.
    package init?(_ text: String) {
        if let value = try? ManifestText.parse(text) {
            self.init(value)
            return
        }
        // By bytes: what can be in here makes the comparison of characters cost more than in proportion.
        let lines = text.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let first = lines.first { !$0.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
        if let first, let object = (try? JSONValue(parsing: Array(first)))?.objectValue {
            self.init(keys: object.map(\.key))
            return
        }
        // The names at the beginnings of lines, as YAML has them.
        self.init(
            keys: lines.compactMap { line in
                let name = line.prefix(Self.longestKey + 1).prefix { $0 != UInt8(ascii: ":") }
                guard name.count <= Self.longestKey, name.count < line.count else { return nil }
                return String(decoding: name, as: UTF8.self)
            }
        )
    }

    /// No name that tells one file from another has more bytes.
    private static let longestKey = 32

    /// What has members of these names, of which a few are enough: others may be missing or misspelt.
    private init?(keys: [String]) {
        let keys = Set(keys.filter { $0.utf8.count <= Self.longestKey })
        if keys.contains("call") {
            self = .script
        } else if keys.isSuperset(of: ["kind", "index"]) {
            self = .records
        } else if !keys.isDisjoint(with: ["actors", "expect"]) {
            self = .scenario
        } else if !keys.isDisjoint(with: ManifestDecoder.keys.filter { !["name", "version", "format"].contains($0) }) {
            self = .manifest
        } else {
            return nil
        }
    }

    /// What it is, and which command takes it: a phrase without a full stop.
    package var phrase: String {
        switch self {
        case .manifest: "the file is an app's manifest, which 'scenectl app validate' checks and --app takes"
        case .scenario: "the file is a scenario, which 'scenectl race' runs"
        case .script: "the file is a script, which 'scenectl play' plays"
        case .records: "the file has records, which 'scenectl check' judges and 'scenectl inspect' shows"
        }
    }

    /// What is expected where one of this kind is: a phrase without a full stop.
    package var expectation: String {
        switch self {
        case .manifest: "a manifest: a mapping with 'name', 'destinations' …"
        case .scenario: "a scenario: a mapping with 'name', 'actors', 'expect' …"
        case .script: "a script: calls, one JSON object a line or a list of them in YAML"
        case .records: "one record a line, as 'scenectl records --json' prints them"
        }
    }

    /// What is wrong with a file that should be of this kind, if it is of another one.
    package func problem(with found: WrittenFile?, file: String? = nil) -> ManifestProblem? {
        guard let found, found != self else { return nil }
        return ManifestProblem(
            key: "",
            message: found.phrase,
            expected: expectation,
            file: file,
            line: 1,
            column: 1
        )
    }
}
