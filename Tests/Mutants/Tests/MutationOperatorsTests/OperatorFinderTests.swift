import MutationOperators
import Testing

@Suite("Mutants by operators")
struct OperatorFinderTests {
    private static let path = "Sources/SceneRuntime/Scene/Mailbox.swift"

    private func mutants(_ source: String) -> [OperatorMutant] { OperatorFinder.mutants(of: source, file: Self.path) }

    private func woven(_ source: String, only kind: OperatorMutant.Operator? = nil) -> String {
        let chosen = mutants(source).filter { kind == nil || $0.kind == kind }
        return OperatorWeaver.woven(
            source,
            chosen.enumerated().map { ($0.offset + 1, $0.element) },
            module: "SceneRuntime"
        )
        .replacing("SceneRuntimeOperator.isOn", with: "on")
    }

    @Test(
        "each operator changes what it says, and nothing where it is off",
        arguments: [
            (OperatorMutant.Operator.negate, "func a() { if b { c() } }", "func a() { if ((b) != on(1)) { c() } }"),
            (.negate, "func a() -> Bool { b == c && d }", "func a() -> Bool { ((b == c && d) != on(1)) }"),
            (.drop, "func a() { b = c; d() }", "func a() { if !on(1) { b = c }; if !on(2) { d() } }"),
            (.swap, "func a() { b(); c() }", "func a() { if !on(1) { b() }; c(); if on(1) { b() } }"),
            (.constant, "func a() { b(1, true) }", "func a() { b((on(1) ? 2 : 1), (on(2) ? false : true)) }"),
            (.leave, "func a() { b(); c() }", "func a() { if on(1) { return }; b(); c() }"),
            (
                .leave, "func a() -> Int? { b(); return c }",
                "func a() -> Int? { if on(1) { return nil }; b(); return c }"
            ),
        ]
    )
    func changes(kind: OperatorMutant.Operator, source: String, expected: String) {
        #expect(woven(source, only: kind) == expected)
    }

    @Test(
        "what would not compile is left alone",
        arguments: [
            "let a = 1 == 2", "enum A: Int { case b = 1 }", "func a(b: Int = 1) {}",
            "struct A { init() { b = c; d = e } }",
            "func a() { while true {} }", "func a() { switch b { case 1: return; default: return } }",
            "func a() -> Int { b() }", "func a() { let b: Int; b = c }", "func a() { if let b { return } }",
            "func a() { _ = b() }", "func a() { fatalError(b) }",
        ]
    )
    func untouched(source: String) {
        #expect(mutants(source).filter { $0.kind != .leave }.map(\.name) == [])
    }

    @Test(
        "what may come in any order is not swapped",
        arguments: [
            (#"func a() { json.member("b", c); json.member("d", e) }"#, 0), ("func a() { b = nil; c = d() }", 0),
            ("func a() { b = c; c = nil }", 1), ("func a() { b = d(); c = e() }", 1), ("func a() { b = 1; c() }", 1),
            ("func a() { b = nil; json.member(c) }", 1),
        ]
    )
    func order(source: String, count: Int) {
        #expect(mutants(source).count { $0.kind == .swap } == count)
    }

    @Test("changes within changes are nested, and lines stay where they are")
    func nested() {
        let source = """
            func a() {
                b(1)  // why
                if c == 2 {
                    d = false
                    e()
                }
            }
            """
        let text = woven(source)
        #expect(text.split(separator: "\n").count == source.split(separator: "\n").count)
        #expect(
            text.count { $0 == "{" } == text.count { $0 == "}" } && text.count { $0 == "(" } == text.count { $0 == ")" }
        )
        #expect(text.contains("if ((c == (on(4) ? 3 : 2)) != on(3)) {") || text.contains("!= on("))
        #expect(text.contains("// why"))
    }

    @Test("a name says where it is and what it reads, so that it never comes to mean another")
    func names() {
        let first = mutants("struct Mailbox { func take() { a(); b() } }").map(\.name)
        #expect(first.allSatisfy { $0.hasPrefix("Mailbox:Mailbox.take.") })
        #expect(Set(first).count == first.count)
        let second = mutants("struct Mailbox { func take() { a(); c() } }").map(\.name)
        #expect(Set(first).isDisjoint(with: second))
    }

    @Test("only the named test targets stay in a package, and everything else")
    func testTargets() {
        let source = """
            let package = Package(targets: [
                .target(name: "A"),
                .testTarget(name: "ATests", dependencies: ["A"]),
                // Why.
                .testTarget(name: "BTests", dependencies: ["A"]), .executableTarget(name: "c"),
                .testTarget(name: "CTests")
            ])
            """
        let kept = TestTargets.keeping(["BTests"], in: source)
        #expect(["A\"", "BTests", "c\""].allSatisfy(kept.contains))
        #expect(!kept.contains("ATests") && !kept.contains("CTests"))
        #expect(TestTargets.keeping(["ATests", "BTests", "CTests"], in: source) == source)
    }
}
