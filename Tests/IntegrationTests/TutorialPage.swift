import Foundation
import TestFixtures

/// A page as somebody follows it who has only the page: writes the files that it shows, runs the commands, and compares what they print.
///
/// A block of code is one of three: a file, whose name stands in backquotes before a colon at the end of the line before; commands for `sh`;
/// or what the commands right before it print, `text`, in which `…` stands for anything, and for any lines if it is alone on one.
struct TutorialPage {
    /// What a reader does at a block.
    enum Step {
        case file(path: String, text: String)
        case commands(String, printing: Printed?)
    }

    /// What commands print, by the page.
    struct Printed {
        /// The number of its first line on the page.
        let line: Int
        let lines: [String]
    }

    let name: String
    /// With the number of each block's first line.
    private(set) var steps: [(line: Int, step: Step)] = []

    /// - Parameter section: The heading of the section to follow, and of no other.
    init(_ text: String, named name: String, section: String? = nil) throws(PageMistake) {
        self.name = name
        var block: (language: Substring, line: Int, lines: [String])?
        // The last line that is not empty, and whether commands precede with nothing but empty lines between.
        var (before, isAfterCommands) = (Substring(), false)
        var isFollowed = section == nil
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            if let begun = block {
                guard line == "```" else {
                    block?.lines.append(String(line))
                    continue
                }
                block = nil
                guard isFollowed else { continue }
                try add(begun.language, begun.lines, at: begun.line, after: before, isAfterCommands: isAfterCommands)
                (before, isAfterCommands) = ("", begun.language == "sh")
            } else if line.hasPrefix("```") {
                block = (line.dropFirst(3), number + 1, [])
            } else if !line.isEmpty {
                if let section, line.hasPrefix("#") { isFollowed = line.drop { $0 == "#" }.dropFirst() == section }
                if isFollowed, line.hasPrefix("    ") {
                    throw PageMistake(page: name, line: number, what: "a block without a fence, which nobody follows")
                }
                (before, isAfterCommands) = (line, false)
            }
        }
        if let block { throw PageMistake(page: name, line: block.line, what: "the block does not end") }
        if steps.isEmpty { throw PageMistake(page: name, line: 1, what: "there is nothing to follow") }
    }

    private mutating func add(
        _ language: Substring,
        _ lines: [String],
        at line: Int,
        after before: Substring,
        isAfterCommands: Bool
    ) throws(PageMistake) {
        let text = lines.map { $0 + "\n" }.joined()
        switch language {
        case "sh":
            steps.append((line, .commands(text, printing: nil)))
        case "text":
            guard isAfterCommands, let last = steps.indices.last, case .commands(let commands, nil) = steps[last].step
            else { throw PageMistake(page: name, line: line, what: "this is printed by no commands right before it") }
            steps[last].step = .commands(commands, printing: Printed(line: line, lines: lines))
        default:
            guard let path = before.firstMatch(of: /`([^`]+)`:$/)?.output.1 else {
                throw PageMistake(
                    page: name,
                    line: line,
                    what:
                        "a block of '\(language)' is no file: none is named in backquotes at the end of the line before"
                )
            }
            steps.append((line, .file(path: String(path), text: text)))
        }
    }

    /// Follows the page in a folder, in one shell from beginning to end; what it leaves running is ended.
    func follow(in folder: String, environment: [String: String?]) async throws {
        let directory = try TemporaryDirectory()
        var script = "cd '\(folder)' || exit\n"
        for (number, (_, step)) in steps.enumerated() {
            let place = "\(directory.path)/\(number)"
            switch step {
            case .file(let path, let text):
                try text.write(toFile: "\(place).file", atomically: true, encoding: .utf8)
                script +=
                    "mkdir -p \"$(dirname '\(path)')\" && cp '\(place).file' '\(path)'; echo $? > '\(place).status'\n"
            case .commands(let commands, _):
                script += "{\n\(commands)} > '\(place).output' 2>&1\necho $? > '\(place).status'\n"
            }
        }
        try script.write(toFile: "\(directory.path)/script", atomically: true, encoding: .utf8)
        // A group of its own, by which all is ended that the page started.
        let group = "set -m; sh '\(directory.path)/script' & wait $!; kill -KILL -- -$! 2> /dev/null; :"
        _ = try await Program.run("/bin/bash", ["-c", group], environment: environment)
        for (number, (line, step)) in steps.enumerated() {
            func kept(_ ending: String) -> String? {
                try? String(contentsOfFile: "\(directory.path)/\(number).\(ending)", encoding: .utf8)
            }
            let output = kept("output") ?? ""
            guard let status = kept("status")?.split(separator: "\n").first else {
                throw PageMistake(page: name, line: line, what: "the shell ended here: \(output)")
            }
            if case .commands(_, let printed?) = step {
                try compare(output, with: printed)
            } else if status != "0" {
                throw PageMistake(page: name, line: line, what: "ended with status \(status): \(output)")
            }
        }
    }

    private func compare(_ output: String, with printed: Printed) throws(PageMistake) {
        let given = Self.lines(of: output)
        // How many lines of the output may have been passed, after each line of the page.
        var passed: Set = [0]
        for (index, line) in printed.lines.enumerated() {
            var next: Set<Int> = []
            if line == "…" {
                if let first = passed.min() { next = Set(first...given.count) }
            } else {
                for count in passed where count < given.count && Self.matches(given[count], line) {
                    next.insert(count + 1)
                }
            }
            if next.isEmpty {
                throw PageMistake(page: name, line: printed.line + index, what: "not printed: \(line)\n\(output)")
            }
            passed = next
        }
        if !passed.contains(given.count) {
            let end = printed.line + printed.lines.count
            throw PageMistake(page: name, line: end, what: "more is printed:\n\(output)")
        }
    }

    private static func lines(of text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Whether a line is as the page shows it, but for blanks at the end.
    private static func matches(_ line: String, _ shown: String) -> Bool {
        func trimmed(_ text: String) -> Substring { text.dropLast(text.reversed().prefix { $0 == " " }.count) }
        let parts = trimmed(shown).split(separator: "…", omittingEmptySubsequences: false)
        var rest = trimmed(line)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return rest == trimmed(shown) }
        guard rest.hasPrefix(first) else { return false }
        rest.removeFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}

/// What is wrong with a page, and where.
struct PageMistake: Error, Equatable, CustomStringConvertible {
    let page: String
    let line: Int
    let what: String

    var description: String { "\(page):\(line): \(what)" }
}
