import Foundation
import Testing

/// Everything that sources, tests and pages cite exists. The contract is the catalogue of `SceneRuntime`.
@Suite("Citations")
struct CitationTests {
    private let catalogues: Catalogues
    private let files: [SourceText]
    private let everything: [SourceText]

    init() throws {
        catalogues = try Catalogues()
        files = try SourceText.all(in: ["Sources", "Tests"], endings: [".swift", ".md"])
        everything =
            try files + [SourceText("README.md"), SourceText("CONTRIBUTING.md")]
            + SourceText.all(in: ["Sources", "Tests", "protocol", "systemd"], endings: [".yaml", ".json", ".catalog"])
    }

    @Test("a link leads to a page and a heading that exist")
    func links() throws {
        let links = try Citation.all(of: #"<doc:[^>\n]*>?"#, in: files).filter(\.isComment)
        #expect(links.count > 50)
        for link in links {
            let target = String(link.text.dropFirst("<doc:".count).prefix { $0 != ">" })
            #expect(
                link.text.hasSuffix(">") && catalogues.resolves(target, from: link.module),
                "\(link.place): \(link.text) leads nowhere"
            )
        }
    }

    /// DocC resolves a page of another module, but not a heading on it.
    @Test("a link to another module leads to a page, not to a heading")
    func linksAcross() throws {
        for link in try Citation.all(of: "<doc:/[^>\\n]*#", in: files) where link.isComment {
            Issue.record("\(link.place): \(link.line)")
        }
    }

    @Test("a link to a symbol of another module names one that it declares")
    func symbolsAcross() throws {
        let links = try Citation.all(of: "``/[A-Za-z]+/[A-Za-z]+", in: files).filter(\.isDocumentation)
        #expect(links.count > 10)
        for link in links {
            let parts = link.text.dropFirst(3).split(separator: "/").map(String.init)
            let declaration = try Regex(#"\b(?:struct|class|enum|protocol|actor|typealias|func) \#(parts[1])\b"#)
            let module = files.filter { $0.path.hasPrefix("Sources/\(parts[0])/") && $0.path.hasSuffix(".swift") }
            #expect(module.contains { $0.text.contains(declaration) }, "\(link.place): \(link.text) leads nowhere")
        }
    }

    @Test("a link to a file from a page that stands by itself leads to one")
    func fileLinks() throws {
        let pages = try ["README.md", "CONTRIBUTING.md", "protocol/python/README.md"].map(SourceText.init)
        let links = try Citation.all(of: #"(?<=\]\()[^)#\n]+"#, in: pages).filter { !$0.text.hasPrefix("https:") }
        #expect(links.count > 5)
        for link in links {
            let folder = SourceText.root.appending(path: link.file).deletingLastPathComponent()
            let file = folder.appending(path: link.text).standardizedFileURL.path
            #expect(FileManager.default.fileExists(atPath: file), "\(link.place): there is no \(link.text)")
        }
    }

    @Test("a named rule of the session exists, and in documentation its name is a link")
    func rules() throws {
        let rules = try sessionRules
        for rule in try Citation.all(of: #"(?<!#)\bS[0-9]+\b"#, in: files) where rule.line != "### \(rule.text)" {
            #expect(rules.contains(rule.text), "\(rule.place): the session has no rule \(rule.text)")
            guard rule.isDocumentation else { continue }
            #expect(
                rule.line.contains("\(rule.text) of <doc:/SceneRuntime/TheSession>"),
                "\(rule.place): <doc:TheSession#\(rule.text)> is a link"
            )
        }
    }

    @Test("the rules of the session are numbered without a gap")
    func ruleNumbers() throws {
        let rules = try sessionRules
        #expect(!rules.isEmpty)
        #expect(rules == rules.indices.map { "S\($0 + 1)" })
    }

    @Test("an invariant that is named by its number exists")
    func invariants() throws {
        let known = try #require(catalogues.anchors(of: "Invariants", in: "SceneRuntime"))
        for invariant in try Citation.all(of: "[Ii]nvariants?[ -][0-9]+", in: files) {
            let number = invariant.text.drop { !$0.isNumber }
            #expect(known.contains("Invariant-\(number)"), "\(invariant.place): there is no \(invariant.text)")
        }
    }

    /// A written number would be wrong as soon as there is one more.
    @Test("the number of invariants is written nowhere")
    func invariantCount() throws {
        let number = "[0-9]+|two|three|four|five|six|seven|eight|nine|[a-z]+teen|ten|eleven|twelve|twenty"
        for count in try Citation.all(of: #"(?i)\b("# + number + #")\s+invariants\b"#, in: everything) {
            Issue.record("\(count.place) counts the invariants: \(count.line)")
        }
    }

    @Test("a file or folder that a page names exists")
    func paths() throws {
        let pages = everything.filter { $0.path.hasSuffix(".md") }
        let paths = try Citation.all(of: #"(?<=`|\]\()(?:Sources|Tests|protocol|systemd)/[^`)\n]*"#, in: pages)
        #expect(paths.count > 40)
        for path in paths where !SourceText.exists(path.text, onPage: path.file) {
            Issue.record("\(path.place): there is no \(path.text)")
        }
    }

    @Test("nothing refers to a page that is not in the repository")
    func elsewhere() throws {
        for mention in try Citation.all(of: #"(?i)\bsemantics\b|\.\./shared\b"#, in: everything)
        where mention.file != Self.path {
            Issue.record("\(mention.place): \(mention.line)")
        }
    }

    private var sessionRules: [String] {
        get throws {
            try #require(catalogues.anchors(of: "TheSession", in: "SceneRuntime"))
                .filter { $0.wholeMatch(of: /S[0-9]+/) != nil }
        }
    }

    private static let path = "Tests/ArchitectureTests/CitationTests.swift"
}
