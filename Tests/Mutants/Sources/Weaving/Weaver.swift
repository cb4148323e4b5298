import Foundation

/// Writes mutants into sources, each behind a switch that is read when the program starts, so that one build serves all of them.
public struct Weaver {
    /// The environment variable that names the mutant to switch on.
    public static let variable = "MUTANT"

    private let mutants: [Mutant]

    /// - Parameter mutants: All mutants to write into the sources.
    public init(_ mutants: [Mutant]) {
        self.mutants = mutants
    }

    /// The new texts of the files that change, by path.
    ///
    /// - Parameter read: Reads a file; `nil` if there is none.
    /// - Throws: ``MutantProblem`` if a place does not exist or exists more than once.
    public func woven(read: (String) throws -> String?) throws -> [String: String] {
        var files: [String: [String]] = [:]
        for mutant in mutants {
            for change in mutant.changes {
                guard let module = Self.module(of: change.file) else {
                    throw MutantProblem(
                        place: mutant.name,
                        "\(change.file) is in no module; expected Sources/MODULE/…"
                    )
                }
                guard var lines = try files[change.file] ?? read(change.file)?.components(separatedBy: "\n") else {
                    throw MutantProblem(place: mutant.name, "there is no file \(change.file)")
                }
                let new = change.new.map {
                    $0.replacingOccurrences(of: Mutant.Change.placeholder, with: "\(module)Mutant.\(mutant.name)")
                }
                if change.old.isEmpty {
                    lines += new
                } else {
                    lines.replaceSubrange(try place(of: change, in: lines, mutant), with: new)
                }
                files[change.file] = lines
            }
        }
        var woven = files.mapValues { $0.joined(separator: "\n") }
        for (module, mutants) in Dictionary(
            grouping: mutants,
            by: { Set($0.changes.compactMap { Self.module(of: $0.file) }) }
        )
        .flatMap({ modules, mutants in modules.map { ($0, mutants) } })
        .reduce(into: [String: [Mutant]](), { $0[$1.0, default: []] += $1.1 }) {
            woven["Sources/\(module)/\(module)Mutant.swift"] = switches(of: mutants, in: module)
        }
        return woven
    }

    /// The lines that a change replaces. There has to be exactly one such place.
    private func place(of change: Mutant.Change, in lines: [String], _ mutant: Mutant) throws -> Range<Int> {
        func bare(_ line: String) -> String { line.trimmingCharacters(in: .whitespaces) }
        let (wanted, lines) = (change.old.map(bare), lines.map(bare))
        let places = lines.indices.filter { start in
            lines[start] == wanted[0] && lines[start...].starts(with: wanted)
        }
        guard places.count == 1 else {
            throw MutantProblem(
                place: mutant.name,
                "\(change.file) has \(places.isEmpty ? "no" : "\(places.count)") places that read '\(wanted.joined(separator: "⏎"))'"
            )
        }
        return places[0]..<places[0] + wanted.count
    }

    private func switches(of mutants: [Mutant], in module: String) -> String {
        let cases = mutants.sorted { $0.name < $1.name }
            .map { "    static let \($0.name) = name == \"\($0.name)\"" }.joined(separator: "\n")
        return """
            internal import Glibc

            /// The mistake that this process makes.
            enum \(module)Mutant {
                private static let name = getenv("\(Self.variable)").map { String(cString: $0) }
            \(cases)
            }

            """
    }

    /// The module of a source; `nil` for a file in no module.
    public static func module(of file: String) -> String? {
        let parts = file.split(separator: "/")
        return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
    }
}
