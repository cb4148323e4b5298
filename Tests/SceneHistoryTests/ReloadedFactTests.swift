import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// What a reload makes of facts: nothing of one user is ever another's (<doc:/SceneRuntime/TheSession>).
@Suite struct ReloadedFactTests {
    /// How a fact is declared.
    struct Declaration: Hashable, CustomTestStringConvertible {
        let type: FactDeclaration.FactType
        let scope: FactDeclaration.Scope
        var hasDefault = false

        var testDescription: String { "\(scope) \(type)\(hasDefault ? " with a default" : "")" }

        static let all = FactDeclaration.FactType.allCases.flatMap { type in
            FactDeclaration.Scope.allCases.map { Self(type: type, scope: $0) }
        }

        var manifest: AppManifest {
            get throws {
                let value = hasDefault ? ", default: \(start)" : ""
                return try AppManifest.read(
                    """
                    name: Facts
                    version: "\(scope) \(type) \(hasDefault)"
                    schemes: [facts]
                    facts: { it: { type: \(type), scope: \(scope)\(value) }, other: { type: integer } }
                    tabs: { home: home }
                    destinations:
                      home: { tab: home }
                      shown: { ancestry: [home], conditions: [wanted], routes: ["facts://shown"] }
                    conditions: { wanted: { holds: { fact: other, less: 2 } } }
                    """
                ).manifest
            }
        }

        /// The default, as a manifest has it.
        private var start: String {
            switch type {
            case .string: "begin"
            case .integer: "7"
            case .number: "7.5"
            case .boolean: "false"
            case .strings: "[begin]"
            case .date: "\"2026-01-01T00:00:00Z\""
            }
        }

        /// A value that somebody gives it. A text is one that other types could be read from.
        var value: FactValue {
            switch type {
            case .string, .date: .string("2026-11-27T08:00:00Z")
            case .integer: .integer(3)
            case .number: .number(3)
            case .boolean: .boolean(true)
            case .strings: .strings(["theirs"])
            }
        }
    }

    @Test(arguments: Declaration.all, Declaration.all)
    func `a fact of another scope or type begins again, and any other keeps its value`(
        before: Declaration,
        after: Declaration
    ) async throws {
        for hasDefault in [false, true] {
            var after = after
            after.hasDefault = hasDefault
            let (old, new) = (try before.manifest, try after.manifest)
            let host = try SceneHost(id: "facts", manifest: old)
            try host.connect(scene: "A")
            try await host.session.signIn(user: "anna", facts: ["it": before.value, "other": .integer(1)])
            let known = host.session.snapshot
            let value = known.facts["it"]
            try await host.reload(new)
            await host.quiesce()
            let isSame = before.type == after.type && before.scope == after.scope
            let snapshot = host.session.snapshot
            let right = isSame ? value : new.facts.first { $0.name == "it" }?.defaultValue
            #expect(snapshot.facts["it"] == right)
            #expect(snapshot.facts["other"] == .integer(1))
            #expect(snapshot.user == "anna" && snapshot.epoch == known.epoch)
            #expect(snapshot.revision == known.revision + (isSame ? 0 : 1))
            // Whoever comes next finds nothing of it either.
            try await host.session.signIn(user: "theo")
            let next = after.scope == .user ? new.facts.first { $0.name == "it" }?.defaultValue : right
            #expect(host.session.snapshot.facts["it"] == next)
            await host.drain()
            let records = host.records.read(after: 0).records.map(\.json)
            let report = checked(records, apps: [old, new])
            #expect(report.conclusion == .holds, "\(report.text)")
        }
    }

    /// How the history of a reload lies.
    enum Lie: CaseIterable { case keptInCommit, noCommit, othersValue, older }

    @Test(arguments: Lie.allCases)
    func `a history in which a value outlives its scope is noticed`(lie: Lie) async throws {
        let (old, new) = (
            try Declaration(type: .string, scope: .user).manifest, try Declaration(type: .string, scope: .app).manifest
        )
        let host = try SceneHost(id: "facts", manifest: old)
        try host.connect(scene: "A")
        try await host.session.signIn(user: "anna", facts: ["it": .string("hers"), "other": .integer(1)])
        try await host.reload(new)
        await host.quiesce()
        var records = host.records.read(after: 0).records.map(\.json)
        let loaded = try #require(records.firstIndex { $0["kind"] == "manifest.loaded" })
        let commit = try #require(records.lastIndex { $0["kind"] == "session.committed" })
        #expect(commit == loaded + 1)
        switch lie {
        case .keptInCommit: records[commit]["facts"] = ["it": "mine"]
        case .othersValue: records[commit]["facts"] = ["it": .null, "other": 2]
        case .noCommit, .older:
            records[loaded]["revision"] = records[loaded - 1]["revision"]
            records.removeSubrange(commit...)
            for index in records.indices { records[index]["index"] = .integer(index + 1) }
            if lie == .older { records[0]["format"] = 5 }
        }
        let report = checked(records, apps: [old, new])
        if lie == .older {
            #expect(report.violated.isEmpty, "\(report.text)")
        } else {
            #expect(report.text.contains("the reload leaves"), "\(report.text)")
        }
    }

    @Test func `what needs the value is swept, and resolved anew, by the commit of the reload`() async throws {
        let before = try Declaration(type: .string, scope: .user).manifest
        func app(scope: FactDeclaration.Scope, version: String) -> AppManifest {
            var app = before
            app.version = version
            for index in app.facts.indices where app.facts[index].name == "other" { app.facts[index].scope = scope }
            app.conditions[0].holds = .compare(fact: "other", .equal, .value(.integer(1)))
            return app
        }
        let (old, new) = (app(scope: .user, version: "1"), app(scope: .app, version: "2"))
        let host = try SceneHost(id: "facts", manifest: old)
        try host.connect(scene: "A")
        try await host.session.signIn(user: "anna", facts: ["other": .integer(1)])
        func open() async throws -> Outcome {
            let link = Submission(try .url("facts://shown"), scene: "A")
            return await host.receipt(of: try host.admit(link)).outcome
        }
        #expect(try await open() == .applied)
        try await host.reload(new)
        await host.quiesce()
        #expect(try host.scene("A").window.topmost?.id == "home")
        #expect(try await open() == .rejected(reason: "wanted"))
        await host.drain()
        let report = checked(host.records.read(after: 0).records.map(\.json), apps: [old, new])
        #expect(report.conclusion == .holds, "\(report.text)")
    }
}
