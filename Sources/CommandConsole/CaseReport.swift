internal import Basics

/// What a command has judged, case by case, as CI systems read it: as JUnit XML, and as annotations of GitHub Actions.
package struct CaseReport: Hashable, Sendable {
    /// One thing that was judged.
    package struct Case: Hashable, Sendable {
        let name: String
        let outcome: Outcome
        let file: String?
        let line: Int?
        let milliseconds: Int?
        let about: String?

        /// - Parameters:
        ///   - file: The path of the file that says what is right, as it was given; `nil` if there is none.
        ///   - line: The line in it, from 1.
        ///   - milliseconds: How long it took, if that was measured.
        ///   - about: What it is about, in the words of whoever wrote it, of one or more lines; `nil` or empty if nobody said that.
        package init(
            _ name: String,
            _ outcome: Outcome,
            file: String? = nil,
            line: Int? = nil,
            milliseconds: Int? = nil,
            about: String? = nil
        ) {
            self.name = name
            self.outcome = outcome
            self.file = file
            self.line = line ?? file.flatMap { Self.line(said: outcome.message, of: $0) }
            self.milliseconds = milliseconds
            self.about = about
        }

        /// The line of which a message says what is wrong: it begins with `FILE:LINE:` or `FILE: LINE:COLUMN:`.
        private static func line(said message: String?, of file: String) -> Int? {
            guard let message, message.hasPrefix("\(file):") else { return nil }
            let rest = message.dropFirst(file.count + 1)
            let place = rest.prefixMatch(of: /([0-9]+):/) ?? rest.prefixMatch(of: #/ ([0-9]+):[0-9]+:/#)
            return place.flatMap { Int($0.output.1) }
        }
    }

    /// How a case came out. A message is one line, a text all that is known.
    package enum Outcome: Hashable, Sendable {
        case passed
        case failed(_ message: String, text: String = "")
        /// It could not be judged.
        case unjudged(_ message: String, text: String = "")
        /// There was nothing to judge.
        case skipped(_ message: String)

        var message: String? {
            switch self {
            case .passed: nil
            case .failed(let message, _), .unjudged(let message, _), .skipped(let message): message
            }
        }
    }

    /// What a case's differences are as a message, of one or more lines.
    package static func message(_ lines: [String]) -> String {
        (lines.first ?? "") + (lines.count > 1 ? " (and \(lines.count - 1) more)" : "")
    }

    /// The name of the command, such as `scenectl check`.
    let suite: String
    /// What it was about, such as a file, if the cases do not say it; with the suite it tells cases of the same name apart.
    private let subject: String?
    /// The cases, in the order in which they were judged.
    package private(set) var cases: [Case] = []

    package init(_ suite: String, of subject: String? = nil) {
        self.suite = suite
        self.subject = subject
    }

    /// Adds a case.
    package mutating func add(_ one: Case) { cases.append(one) }

    /// The report as JUnit XML: one suite, in which what could not be judged is an error, as for the command's exit status. What a case is about
    /// is what it has printed, which readers of such files show.
    package var junit: String {
        let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
        let errors = cases.count { if case .unjudged = $0.outcome { true } else { false } }
        let skipped = cases.count { if case .skipped = $0.outcome { true } else { false } }
        let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
        var lines = [
            Self.declaration, "<testsuites \(counts)>",
            "  <testsuite name=\(Self.quoted(suite)) \(counts) skipped=\"\(skipped)\">",
        ]
        for one in cases {
            let words = subject.map { "\(suite) \($0)" } ?? suite
            var tag = "    <testcase classname=\(Self.quoted(words)) name=\(Self.quoted(one.name))"
            if let file = one.file { tag += " file=\(Self.quoted(file))" }
            if let line = one.line { tag += " line=\"\(line)\"" }
            if let milliseconds = one.milliseconds {
                tag += " time=\"\(milliseconds / 1_000).\(String(1_000 + milliseconds % 1_000).dropFirst())\""
            }
            var elements: [String] = []
            switch one.outcome {
            case .passed: break
            case .failed(let message, let text): elements.append(Self.element("failure", message, text))
            case .unjudged(let message, let text): elements.append(Self.element("error", message, text))
            case .skipped(let message): elements.append(Self.element("skipped", message, ""))
            }
            if let about = one.about, !about.isEmpty {
                elements.append("<system-out>\(HTMLText.escaped(about))</system-out>")
            }
            lines +=
                elements.isEmpty ? [tag + "/>"] : [tag + ">"] + elements.map { "      \($0)" } + ["    </testcase>"]
        }
        return (lines + ["  </testsuite>", "</testsuites>", ""]).joined(separator: "\n")
    }

    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"

    /// Whether a file begins as ``junit`` does, and as no other tool's: it is of an earlier run.
    /// - Parameter text: Its first bytes, at least a thousand if it has so many.
    static func wrote(_ text: String) -> Bool {
        let suites = /<testsuites tests="[0-9]+" failures="[0-9]+" errors="[0-9]+">/
        let suite = #/  <testsuite name="[^"]*" tests="[0-9]+" failures="[0-9]+" errors="[0-9]+" skipped="[0-9]+">/#
        let lines = text.split(separator: "\n", maxSplits: 3)
        return lines.count == 4 && lines[0] == declaration && lines[1].wholeMatch(of: suites) != nil
            && lines[2].wholeMatch(of: suite) != nil
    }

    private static func element(_ name: String, _ message: String, _ text: String) -> String {
        // Some show the text alone.
        "<\(name) message=\(quoted(message))>\(HTMLText.escaped(text.isEmpty ? message : text))</\(name)>"
    }

    /// An attribute's value: a line feed or a tab would be read as a space.
    private static func quoted(_ text: String) -> String {
        let escaped = HTMLText.escaped(text).replacing("\n", with: "&#10;").replacing("\t", with: "&#9;")
        return "\"\(escaped)\""
    }

    /// What did not pass, a line with the message for each, as GitHub Actions reads it from what a step prints
    /// (https://docs.github.com/actions/reference/workflow-commands-for-github-actions). Cases that could not be judged for one reason have one
    /// line with their number, because GitHub shows ten of a step.
    package var annotations: String {
        var lines = ""
        var counts: [Annotation: Int] = [:]
        for case let annotation? in cases.map(Annotation.init) { counts[annotation, default: 0] += 1 }
        for one in cases {
            guard let annotation = Annotation(one) else { continue }
            let alike = annotation.isJudged ? 1 : counts.removeValue(forKey: annotation) ?? 0
            guard alike > 0 else { continue }
            var properties: [(String, String)] = []
            if let file = one.file { properties.append(("file", file)) }
            if let line = one.line { properties.append(("line", "\(line)")) }
            let name = alike == 1 ? one.name : "\(alike) cases, such as \(one.name)"
            // A file says already what it is about.
            let about = subject.flatMap { one.file == nil && $0 != one.name ? " \($0)" : nil } ?? ""
            properties.append(("title", "\(suite)\(about): \(name)".prefix(utf8: 200)))
            let words = properties.map { "\($0)=\(Self.data($1, isProperty: true))" }.joined(separator: ",")
            let message = annotation.message.prefix(utf8: Self.mostBytes)
            lines += "::error \(words)::\(Self.data(message, isProperty: false))\n"
        }
        return lines
    }

    /// What an annotation says, and where.
    private struct Annotation: Hashable {
        let file: String?
        let line: Int?
        let isJudged: Bool
        let message: String

        /// - Returns: `nil` for a case that needs none.
        init?(_ one: Case) {
            switch one.outcome {
            case .passed, .skipped: return nil
            case .failed(let words, _): (isJudged, message) = (true, words)
            case .unjudged(let words, _): (isJudged, message) = (false, words)
            }
            (file, line) = (one.file, one.line)
        }
    }

    /// The most bytes of an annotation's message; all that is known is in the JUnit file.
    private static let mostBytes = 4_000

    /// A text as a workflow command has it: on one line, and, if it is a property's, without what separates them.
    private static func data(_ text: String, isProperty: Bool) -> String {
        var data = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": data += "%25"
            case "\r": data += "%0D"
            case "\n": data += "%0A"
            case ":" where isProperty: data += "%3A"
            case ",": data += isProperty ? "%2C" : ","
            default: data.unicodeScalars.append(scalar)
            }
        }
        return data
    }
}
