import SceneEntryPoints
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import Testing

/// A reload after which a value that is shown, or waits, is not allowed any more (<doc:/SceneRuntime/Scenes>).
@Suite("After a reload that changes parameters", .timeLimit(.minutes(15)))
struct ReloadedParameterTests {
    /// Another declaration of one parameter, by what changed; without a type it is a secret of the same type.
    static let changes: [(name: String, type: ParameterType?)] = [
        ("a secret", nil),
        ("a higher minimum", .integer(minimum: 50, maximum: 99)), ("a lower maximum", .integer(minimum: 3, maximum: 3)),
        ("another type", .uuid), ("a pattern", .pattern("z[0-9]")), ("words", .oneOf(["a", "b"])),
        ("a pattern that takes it", .pattern("[0-9]+")), ("words among which it is", .oneOf(["4", "7", "200"])),
        ("a list", .list(of: .integer(minimum: nil, maximum: nil))),
    ]

    private static func ward() async throws -> Club {
        let ward = try Club(app: "ward")
        try await ward.signIn("mina", facts: ["onCall": .boolean(true), "consents": .strings(["x1"])])
        return ward
    }

    private static func changed(
        _ ward: Club,
        _ destination: String,
        _ parameter: String,
        to type: ParameterType?
    ) -> AppManifest {
        var manifest = ward.manifest
        func change(_ declarations: inout [ParameterDeclaration]) {
            for index in declarations.indices where declarations[index].name == parameter {
                guard let type else {
                    declarations[index].isSecret = true
                    continue
                }
                declarations[index].type = type
                declarations[index].defaultValue = nil
                declarations[index].isRequired = false
            }
        }
        for index in manifest.destinations.indices where manifest.destinations[index].id == destination {
            change(&manifest.destinations[index].parameters)
        }
        for flow in manifest.flows.indices {
            for screen in manifest.flows[flow].screens.indices
            where manifest.flows[flow].screens[screen].id == destination {
                change(&manifest.flows[flow].screens[screen].parameters)
            }
        }
        // What the app itself would give it is of no interest here.
        manifest.intents.removeAll { ["alarmTapped", "chartTapped"].contains($0.name) }
        return manifest
    }

    private static func end(_ ward: Club, _ other: AppManifest) async {
        await ward.host.quiesce()
        await ward.host.drain()
        let report = checked(ward.records, app: ward.manifest, apps: [other])
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test("what is shown stays if it is still allowed, else it goes, and the judge agrees", arguments: changes)
    func shown(name: String, type: ParameterType?) async throws {
        for (link, taps, id, parameter) in [
            ("room/w1/bed/7", [], "bed", "bed"), ("alarm/200", [], "alarm", "room"),
            ("chart/x1?page=12", [], "chart", "page"), ("chart/x1", ["drugged"], "drug", "dose"),
        ] as [(String, [String], String, String)] {
            let ward = try await Self.ward()
            _ = try await ward.open(link)
            for tap in taps { try await ward.tap(tap, ["dose": "4"]) }
            let before = try ward.window
            let top = try #require(before.topmost)
            #expect(top.id == id)
            let other = Self.changed(ward, id, parameter, to: type)
            // Of a drug's dose, for which the flow's effect has another type, some are no manifest.
            guard let engine = try? RoutingEngine(manifest: other) else { continue }
            try await ward.host.reload(other)
            await ward.host.quiesce()
            let isGone = if case .unknown = engine.verdict(for: top, context: RoutingContext()) { true } else { false }
            #expect(try ward.window.destinations.contains(top) != isGone, "\(top)")
            await Self.end(ward, other)
        }
    }

    @Test("what waits at a gate, in the mailbox, or in a disconnected window goes the same way", arguments: changes)
    func waiting(name: String, type: ParameterType?) async throws {
        for (way, link, id, parameter) in [
            ("parked", "chart/x1?page=12", "chart", "page"), ("mailbox", "chart/x1?page=12", "chart", "page"),
            ("resolved", "chart/x1?page=12", "chart", "page"), ("disconnected", "chart/x1?page=12", "chart", "page"),
            ("mailbox", "room/w1/bed/7", "bed", "w"), ("resolved", "room/w1/bed/7", "bed", "w"),
            ("disconnected", "room/w1/bed/7", "bed", "w"),
        ] {
            let ward = try await Self.ward()
            let other = Self.changed(ward, id, parameter, to: type)
            guard (try? RoutingEngine(manifest: other)) != nil else { continue }
            switch way {
            case "parked":
                try await ward.host.session.commit(set: ["onCall": .boolean(false)])
                #expect(try await ward.open(link).outcome.name == .gated)
                try await ward.host.reload(other)
            case "mailbox":
                let hold = try ward.host.hold(.admitted, scene: "A")
                let first = try ward.admit("me")
                await withCheckedContinuation { continuation in
                    _ = ward.host.whenCaught(by: hold) { _ in continuation.resume() }
                }
                let second = try ward.admit(link)
                try await ward.host.reload(other)
                ward.host.release(hold)
                for admission in [first, second] { _ = await ward.host.receipt(of: admission) }
            case "resolved":
                let hold = try ward.host.hold(.resolved, scene: "A")
                let admission = try ward.admit(link)
                await withCheckedContinuation { continuation in
                    _ = ward.host.whenCaught(by: hold) { _ in continuation.resume() }
                }
                try await ward.host.reload(other)
                ward.host.release(hold)
                _ = await ward.host.receipt(of: admission)
            default:
                _ = try await ward.open(link)
                try await ward.host.disconnect(scene: "A")
                try await ward.host.reload(other)
                try await ward.host.reconnect(scene: "A")
            }
            await Self.end(ward, other)
        }
    }
}
