import Testing
import Weaving

@Suite("Weaving mutants into sources")
struct WeaverTests {
    static let source = """
        struct Session {
            func expire() {
                expiry?.cancel()
                log()
            }
            func leave() { log() }
        }
        """

    private func mutant(_ changes: String, name: String = "expiryStays") throws -> Mutant {
        try Mutant(
            name: name,
            parsing: "An expiry stays.\n\nrule: S7\nscenario: expired-sign-in\nshows: end, invariant 5\n\n\(changes)\n"
        )
    }

    private func woven(_ mutants: Mutant..., path: String = "Sources/SceneRuntime/Session.swift") throws -> [String:
        String]
    {
        try Weaver(mutants).woven { $0 == path ? Self.source : nil }
    }

    @Test("a file says what is wrong, which rule it breaks, and which scenario has to notice it")
    func parsed() throws {
        let mutant = try mutant(
            "@@ Sources/SceneRuntime/Session.swift\n-expiry?.cancel()\n+if !MUTANT { expiry?.cancel() }"
        )
        #expect(mutant.summary == "An expiry stays.")
        #expect(mutant.rule == "S7" && mutant.finder == .scenario("expired-sign-in", nil))
        #expect(mutant.shows == ["end", "invariant 5"])
    }

    @Test("a file says where others have to come in between, if whole jobs do not find the mistake")
    func granularity() throws {
        let text =
            "Something.\n\nrule: S1\nscenario: a\nshows: end\ngranularity: locks\n\n@@ Sources/A/B.swift\n+MUTANT"
        #expect(try Mutant(name: "x", parsing: text).finder == .scenario("a", .locks))
    }

    @Test("a file says which history of make kills has to notice it")
    func kills() throws {
        let text = "Something.\n\nrule: S1\nkills: power-0\nshows: history\n\n@@ Sources/A/B.swift\n+MUTANT"
        #expect(try Mutant(name: "x", parsing: text).finder == .kills("power-0"))
    }

    @Test("each mutant is behind its switch, whatever the indentation, and each module has its own switches")
    func switches() throws {
        let files = try woven(
            try mutant("@@ Sources/SceneRuntime/Session.swift\n-expiry?.cancel()\n+if !MUTANT { expiry?.cancel() }"),
            try mutant(
                "@@ Sources/SceneRuntime/Session.swift\n func leave() { log() }\n+func more() -> Bool { MUTANT }",
                name: "more"
            )
        )
        let session = try #require(files["Sources/SceneRuntime/Session.swift"])
        #expect(session.contains("if !SceneRuntimeMutant.expiryStays { expiry?.cancel() }\n        log()"))
        #expect(session.contains("func leave() { log() }\nfunc more() -> Bool { SceneRuntimeMutant.more }"))
        let switches = try #require(files["Sources/SceneRuntime/SceneRuntimeMutant.swift"])
        #expect(switches.contains("static let expiryStays = name == \"expiryStays\""))
        #expect(switches.contains("static let more = name == \"more\""))
    }

    @Test("lines without a place are appended to the file")
    func appended() throws {
        let files = try woven(try mutant("@@ Sources/SceneRuntime/Session.swift\n+let isOn = MUTANT"))
        #expect(
            files["Sources/SceneRuntime/Session.swift"]?.hasSuffix("}\nlet isOn = SceneRuntimeMutant.expiryStays")
                == true
        )
    }

    @Test(
        "a place that does not exist, or exists more than once, is a problem that names the file",
        arguments: [
            ("@@ Sources/SceneRuntime/Session.swift\n-nothing()\n+MUTANT", "no places"),
            ("@@ Sources/SceneRuntime/Session.swift\n-}\n+MUTANT", "2 places"),
            ("@@ Sources/SceneRuntime/Gone.swift\n-}\n+MUTANT", "no file Sources/SceneRuntime/Gone.swift"),
            ("@@ Tests/Session.swift\n-}\n+MUTANT", "in no module"),
        ]
    )
    func misplaced(change: String, words: String) throws {
        let mutant = try mutant(change)
        let error = #expect(throws: MutantProblem.self) { _ = try woven(mutant) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(
        "an incomplete file is a problem",
        arguments: [
            ("Something.\n\nrule: S1\nscenario: a\n\n@@ Sources/A/B.swift\n+MUTANT", "shows"),
            ("Something.\n\nrule: S1\nscenario: a\nshows: end\n\n@@ Sources/A/B.swift\n+let a = 1", "MUTANT"),
            ("Something.\n\nrule: S1\nscenario: a\nshows: end\nage: 5\n\n@@ Sources/A/B.swift\n+MUTANT", "age"),
            ("Something.\n\nrule: S1\nscenario: a\nshows: end\n\n@@ Sources/A/B.swift\nMUTANT", ".mutant:8"),
            (
                "Something.\n\nrule: S1\nscenario: a\nshows: end\ngranularity: lines\n\n@@ Sources/A/B.swift\n+MUTANT",
                "'lines' is unknown; expected locks"
            ),
            (
                "Something.\n\nrule: S1\nkills: a\nscenario: a\nshows: end\n\n@@ Sources/A/B.swift\n+MUTANT",
                "'scenario' is unknown here"
            ),
        ]
    )
    func incomplete(text: String, words: String) throws {
        let error = #expect(throws: MutantProblem.self) { _ = try Mutant(name: "x", parsing: text) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
