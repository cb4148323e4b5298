import Foundation

/// A mistake that somebody could make in the sources, and what has to notice it.
public struct Mutant: Hashable, Sendable {
    /// The name of its file without the extension, such as `expiryStays`.
    public let name: String
    /// What is wrong, in one sentence.
    public let summary: String
    /// The part of the contract that it breaks: a rule by its number, or a page.
    public let rule: String
    /// What finds it.
    public let finder: Finder
    /// The ways in which it may show, at least one: `invariant 5`, `end`, `deadlock`; of a history ``Finder/history``.
    public let shows: [String]
    /// The changes to the sources.
    public let changes: [Change]

    /// What has to notice a mistake.
    public enum Finder: Hashable, Sendable {
        /// A scenario that ships. Others come in between where the granularity says, with `nil` between whole jobs only.
        case scenario(String, Granularity?)
        /// A history of `make kills`, in which the daemon is ended and goes on: its name.
        case kills(String)

        /// How a mistake shows that a history notices.
        public static let history = "history"
    }

    /// What the scenario needs besides whole jobs to find a mistake.
    public enum Granularity: String, CaseIterable, Sendable {
        /// Stops before each access to what windows share.
        case locks
    }

    /// A place in a file and its replacement.
    public struct Change: Hashable, Sendable {
        /// The word in new lines that is replaced by the mutant's switch.
        public static let placeholder = "MUTANT"

        /// The path, relative to the root of the repository.
        public let file: String
        /// The lines to replace, compared without the spaces around them; empty if `new` is appended to the file.
        public let old: [String]
        /// The lines that replace them.
        public let new: [String]
    }

    /// Reads a mutant's file:
    ///
    ///     An earlier sign-in's expiry signs out whoever is there.
    ///
    ///     rule: Events and outcomes
    ///     scenario: expired-sign-in
    ///     shows: end
    ///
    ///     @@ Sources/SceneRuntime/Session/Session.swift
    ///     -expiry?.cancel()
    ///     +if !MUTANT { expiry?.cancel() }
    ///
    /// With a line `granularity: locks` the scenario finds it only with stops at locks, in the middle of jobs. With `kills: power-0` instead
    /// of a scenario, that history of `make kills` finds it, and it shows as `history`.
    ///
    /// A change is written as in a patch: lines that begin with a space stay, lines with `-` go, and lines with `+` come. If all lines
    /// come, they are appended to the file. `MUTANT` is true when the mutant is switched on.
    /// - Throws: ``MutantProblem``, which names the line.
    public init(name: String, parsing text: String) throws(MutantProblem) {
        func problem(_ line: Int, _ words: String) -> MutantProblem {
            MutantProblem(place: "\(name).mutant:\(line)", words)
        }
        var fields: [String: String] = [:]
        var summary = ""
        var changes: [(file: String, old: [String], new: [String])] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            if line.hasPrefix("@@ ") {
                changes.append((String(line.dropFirst(3)), [], []))
            } else if !changes.isEmpty {
                let last = changes.count - 1
                let rest = String(line.dropFirst())
                switch line.first {
                case " ":
                    changes[last].old.append(rest)
                    changes[last].new.append(rest)
                case "-": changes[last].old.append(rest)
                case "+": changes[last].new.append(rest)
                case nil: break
                default: throw problem(number, "a line of a change begins with a space, '-' or '+'")
                }
            } else if summary.isEmpty {
                summary = String(line)
            } else if let colon = line.firstIndex(of: ":") {
                fields[String(line[..<colon])] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            } else if !line.isEmpty {
                throw problem(number, "expected 'rule: …', 'scenario: …', 'kills: …', 'shows: …' or '@@ FILE'")
            }
        }
        func field(_ name: String) throws(MutantProblem) -> String {
            guard let value = fields.removeValue(forKey: name), !value.isEmpty else {
                throw problem(1, "no '\(name): …'")
            }
            return value
        }
        self.name = name
        self.summary = summary
        rule = try field("rule")
        let history = fields["kills"] == nil ? nil : try field("kills")
        let scenario = history == nil ? try field("scenario") : ""
        shows = try field("shows").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        var granularity: Granularity?
        if history == nil, let word = fields.removeValue(forKey: "granularity") {
            guard let known = Granularity(rawValue: word) else {
                let all = Granularity.allCases.map(\.rawValue).joined(separator: ", ")
                throw problem(
                    1,
                    "the granularity '\(word)' is unknown; expected \(all), or no such line for whole jobs"
                )
            }
            granularity = known
        }
        finder = history.map(Finder.kills) ?? .scenario(scenario, granularity)
        if let unknown = fields.keys.min() {
            throw problem(
                1,
                "'\(unknown)' is unknown here; rule, shows, and scenario with granularity, or kills, are known"
            )
        }
        self.changes = changes.map { Change(file: $0.file, old: $0.old, new: $0.new) }
        guard summary.hasSuffix(".") else {
            throw problem(1, "the first line has to be a sentence that says what is wrong")
        }
        guard self.changes.contains(where: { $0.new.contains { $0.contains(Change.placeholder) } }) else {
            throw problem(1, "no change contains \(Change.placeholder), so nothing can switch the mutant on")
        }
    }

    /// All mutants in a folder, sorted by name.
    public static func all(in folder: URL) throws -> [Mutant] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".mutant") }.sorted()
            .map { file in
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                return try Mutant(name: String(file.dropLast(".mutant".count)), parsing: text)
            }
    }
}

/// What is wrong with a mutant, and where.
public struct MutantProblem: Error, CustomStringConvertible {
    public let description: String

    init(place: String, _ words: String) {
        description = "\(place): \(words)."
    }
}
