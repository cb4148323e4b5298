import SceneClient
import SceneVocabulary
import StrictJSON
import Testing

/// What becomes of a link that leads nowhere, with a fallback and without, in the app of `Tests/Apps/ferry.yaml`.
@Suite("Links that lead nowhere, over the socket", .timeLimit(.minutes(15)))
struct LinkToNowhereTests {
    /// Paths to nowhere, and how an event with one ends where it is admitted.
    private static let nowhere = [("nowhere/at/all", "unknownRoute"), ("pier/none", "validationFailed: id")]
    private static let malformed = "pier/%zz"
    /// The association file excludes it.
    private static let excluded = "https://ferry.example/legal/terms"
    private static let home = ["piers"]

    /// The name of the error with which a link is refused; `nil` if it is not.
    private func refusal(
        _ door: FerryDoor,
        _ link: String,
        of client: SceneClient,
        fallback: Bool
    ) async throws -> String? {
        do {
            let receipt = try await door.send(link, to: client, .init(scene: "A"))
            // The notification was delivered, so its tap is admitted wherever its link leads.
            #expect(door == .push && receipt.outcome == .rejected, "\(link): \(receipt.reply)")
            let shown = fallback ? Self.home + ["lost"] : Self.home
            #expect(receipt.window?.trail == shown, "\(link)")
            return receipt.reason
        } catch {
            guard case .refused(let name, _)? = error as? SceneClientError else { throw error }
            #expect(door != .push, "\(link): \(error)")
            return name.hasPrefix("io.scened.Events.") ? String(name.dropFirst(17)) : name
        }
    }

    @Test(
        "are admitted by every door, come to the front and show the fallback of the app",
        arguments: FerryDoor.allCases
    )
    func everyDoor(door: FerryDoor) async throws {
        try await FerryDoor.run { _, client in
            for (path, reason) in Self.nowhere {
                for origin in door.origins {
                    for isCold in [false, true] {
                        let what: Comment = "\(origin)\(path), cold: \(isCold)"
                        _ = try await client.openURL("ferry://piers", .init(scene: "B"))
                        if isCold { _ = try await client.disconnect(scene: "B") } else { try await client.leave("B") }
                        let receipt = try await door.send(origin + path, to: client, .init(scene: "B"))
                        #expect(receipt.outcome == .rejected && receipt.reason == reason, what)
                        #expect(receipt.window?.trail == Self.home + ["lost"], what)
                        #expect(try await client.scene("B").activation == .foregroundActive, what)
                    }
                }
            }
        }
    }

    @Test(
        "are errors by name where the app has no fallback, and leave the window as it is",
        arguments: FerryDoor.allCases
    )
    func without(door: FerryDoor) async throws {
        let line = "fallback: { destination: lost }\n"
        try await FerryDoor.run(edit: { $0.replacing(line, with: "") }) { _, client in
            let names =
                door == .push
                ? ["unknownRoute", "validationFailed: id", "malformed"]
                : ["UnknownRoute", "ValidationFailed", "Malformed"]
            for origin in door.origins {
                for (path, name) in zip(Self.nowhere.map(\.0) + [Self.malformed], names) {
                    let said = try await refusal(door, origin + path, of: client, fallback: false)
                    #expect(said == name, "\(path)")
                }
            }
            let name = door == .push ? "notAssociated" : "NotAssociated"
            #expect(try await refusal(door, Self.excluded, of: client, fallback: false) == name)
            if door != .push { #expect(try await client.scene("A").admitted == 0) }
            // What is wrong, and where.
            let unknown = await #expect(throws: SceneClientError.self) {
                try await client.openURL("ferry://nowhere/at/all")
            }
            #expect(unknown?.refusal == .unknownRoute(url: "ferry://nowhere/at/all"))
            let invalid = await #expect(throws: SceneClientError.self) { try await client.openURL("ferry://pier/none") }
            guard case .validationFailed(parameter: "id", _) = invalid?.refusal else {
                Issue.record("expected ValidationFailed of id, found \(String(describing: invalid))")
                return
            }
        }
    }

    @Test(
        "are errors with a fallback, too, if they are malformed or no associated domain vouches for them",
        arguments: FerryDoor.allCases
    )
    func atTheDoor(door: FerryDoor) async throws {
        try await FerryDoor.run { _, client in
            for origin in door.origins {
                let link = origin + Self.malformed
                let said = try await refusal(door, link, of: client, fallback: true)
                #expect(said == (door == .push ? "malformed" : "Malformed"), "\(link)")
            }
            let name = door == .push ? "notAssociated" : "NotAssociated"
            #expect(try await refusal(door, Self.excluded, of: client, fallback: true) == name)
            if door == .push { return }
            #expect(try await client.scene("A").admitted == 0)
            #expect(try await client.scene("A").window?.trail == Self.home)
        }
    }

    @Test("are not taken by an app whose scheme they do not have, with a fallback, too")
    func foreignScheme() async throws {
        try await FerryDoor.run { _, client in
            let error = await #expect(throws: SceneClientError.self) { try await client.openURL("other://pier/p1") }
            #expect(error?.refusal == .unknownRoute(url: "other://pier/p1"))
        }
    }

    @Test(
        "show no fallback that may not be shown now, and it waits at no gate",
        arguments: ["{ destination: ticket }", "{ destination: pier, parameters: { id: p9 } }"]
    )
    func notAllowed(fallback: String) async throws {
        try await FerryDoor.run(edit: { $0.replacing("{ destination: lost }", with: fallback) }) { _, client in
            _ = try await client.commit(set: ["stopped": ["p9"]])
            let shown = try await client.openURL("ferry://pier/p1", .init(scene: "A")).window
            let receipt = try await client.openURL("ferry://nowhere", .init(scene: "A"))
            #expect(receipt.outcome == .rejected && receipt.reason == "unknownRoute")
            let scene = try await client.scene("A")
            #expect(receipt.window == shown && scene.window == shown && scene.parked.isEmpty)
        }
    }

    @Test("leave what waits at a gate and what flow is in progress")
    func leaveFlows() async throws {
        try await FerryDoor.run { daemon, client in
            _ = try await client.openURL("ferry://ticket", .init(scene: "A", event: "waits"))
            let gated = try await client.scene("A").window
            #expect(gated?.trail == ["piers", "name"])
            let nowhere = try await client.openURL("ferry://nowhere", .init(scene: "A"))
            #expect(nowhere.outcome == .rejected && nowhere.reason == "unknownRoute" && nowhere.window == gated)
            #expect(try await client.scene("A").parked.map(\.event) == ["waits"])
            #expect(try await client.receipt(of: "waits").outcome == .gated)
            #expect(
                try await client.sendIntent("named", parameters: ["user": "mina"], .init(scene: "A")).outcome
                    == .applied
            )
            try await client.quiesce()
            #expect(try await client.receipt(of: "waits").outcome == .applied)
            // A flow for which nothing waits, over the tab in which the fallback would be.
            let booking = try await client.openURL("ferry://booking", .init(scene: "A"))
            #expect(booking.outcome == .applied && booking.window?.modals.map(\.flow) == ["booking"])
            let again = try await client.openURL("ferry://nowhere", .init(scene: "A"))
            #expect(again.outcome == .rejected && again.window == booking.window)
            #expect(try await client.scene("A").coordinators.contains("booking"))
            #expect(try await client.sendIntent("booked", .init(scene: "A")).window?.trail == Self.home)
            #expect(try await client.openURL("ferry://nowhere", .init(scene: "A")).window?.trail == ["piers", "lost"])
            #expect(try await daemon.records().allSatisfy { $0["kind"] != "violation" })
        }
    }

    @Test("show a fallback that comes over anything over a flow in progress, and never while something waits")
    func overFlows() async throws {
        let current = "lost: { ancestry: current, presentation: sheet }"
        try await FerryDoor.run(edit: { $0.replacing("lost: { ancestry: [piers] }", with: current) }) { _, client in
            _ = try await client.openURL("ferry://ticket", .init(scene: "A", event: "waits"))
            let gated = try await client.scene("A").window
            let nowhere = try await client.openURL("ferry://nowhere", .init(scene: "A"))
            #expect(nowhere.outcome == .rejected && nowhere.window == gated, "\(nowhere.reply)")
            #expect(try await client.scene("A").parked.map(\.event) == ["waits"])
            #expect(try await client.sendIntent("gaveUp", .init(scene: "A")).window?.trail == Self.home)
            #expect(try await client.openURL("ferry://booking", .init(scene: "A")).outcome == .applied)
            let over = try await client.openURL("ferry://nowhere", .init(scene: "A"))
            #expect(over.outcome == .rejected && over.window?.trail == Self.home + ["booking", "lost"])
            #expect(try await client.scene("A").coordinators.contains("booking"))
        }
    }

    @Test("from inside the app leave the window as it is, as what is refused there does")
    func inside() async throws {
        try await FerryDoor.run { _, client in
            _ = try await client.commit(set: ["stopped": ["p9"]])
            let shown = try await client.openURL("ferry://pier/p1", .init(scene: "A")).window
            for (intent, parameters, reason) in [
                ("pierTapped", ["id": "p9"], "calls"), ("unheardOf", [:], "unhandledIntent"),
            ] {
                let receipt = try await client.sendIntent(intent, parameters: parameters, .init(scene: "A"))
                #expect(receipt.outcome == .rejected && receipt.reason == reason, "\(intent): \(receipt.reply)")
                #expect(receipt.window == shown, "\(intent)")
            }
            // The same from outside shows the fallback.
            let outside = try await client.openURL("ferry://pier/p9", .init(scene: "A"))
            #expect(outside.reason == "calls" && outside.window?.trail == ["piers", "lost"])
        }
    }
}
