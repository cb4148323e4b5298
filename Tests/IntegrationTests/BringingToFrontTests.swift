import SceneClient
import SceneVocabulary
import StrictJSON
import Testing

/// What a tap does to its window before anything is decided, and what brings no window to the front, in the app of
/// `Tests/Apps/ferry.yaml`.
@Suite("What brings a window to the front, over the socket", .timeLimit(.minutes(15)))
struct BringingToFrontTests {
    private static let order = ["foregroundInactive", "dispatch.began", "foregroundActive", "dispatch.ended"]

    /// What the records of a window say of its connection, its activation and its dispatches, after one of them.
    private func story(_ daemon: LiveDaemon, _ scene: String, after index: Int) async throws -> [String] {
        let told = Set(Self.order + ["scene.connected", "background"])
        return try await daemon.records(scene: scene).filter { $0["index"]?.integerValue ?? 0 > index }
            .compactMap { $0["to"]?.stringValue ?? $0["kind"]?.stringValue }.filter(told.contains)
    }

    private func newest(_ daemon: LiveDaemon) async throws -> Int {
        try #require(try await daemon.records().last?["index"]?.integerValue)
    }

    @Test(
        "a tap does, by every door, cold and warm, whatever comes of it, in the order of UIKit",
        arguments: FerryDoor.allCases
    )
    func tap(door: FerryDoor) async throws {
        let cases: [(path: String, outcome: OutcomeName)] = [
            ("pier/p1", .applied), ("pier/p1", .unchanged), ("pier/p9", .rejected), ("pier/none", .rejected),
            ("ticket", .gated),
        ]
        try await FerryDoor.run { daemon, client in
            _ = try await client.commit(set: ["stopped": ["p9"]])
            for isCold in [false, true] {
                for (path, outcome) in cases {
                    if isCold { _ = try await client.disconnect(scene: "B") } else { try await client.leave("B") }
                    let index = try await newest(daemon)
                    let link = door.origins[0] + path
                    let receipt = try await door.send(link, to: client, .init(scene: "B"))
                    let what: Comment = "\(link), cold: \(isCold)"
                    #expect(receipt.outcome == .known(outcome), what)
                    #expect(try await client.scene("B").activation == .foregroundActive, what)
                    let expected = (isCold ? ["scene.connected"] : []) + Self.order
                    #expect(try await story(daemon, "B", after: index) == expected, what)
                }
            }
        }
    }

    @Test("no resume, no sweep and no commit elsewhere does")
    func nothingElse() async throws {
        try await FerryDoor.run { daemon, client in
            let waits = try await client.openURL("ferry://ticket", .init(scene: "B", event: "waits"))
            #expect(waits.outcome == .gated)
            for scene in ["A", "B"] { try await client.leave(scene) }
            let index = try await newest(daemon)
            _ = try await client.signIn(user: "mina")
            try await client.quiesce()
            #expect(try await client.receipt(of: "waits").outcome == .applied)
            _ = try await client.signOut()
            try await client.quiesce()
            #expect(try await client.scene("B").window?.trail == ["tickets"], "swept")
            let elsewhere = try await client.sendIntent("askedFor", .init(scene: "A"))
            #expect(elsewhere.outcome == .delivered)
            try await client.quiesce()
            let story = try await story(daemon, "B", after: index)
            #expect(story.allSatisfy { $0.hasPrefix("dispatch.") } && !story.isEmpty, "\(story)")
            #expect(try await client.scene("B").activation == .background)
            #expect(try await client.scene("A").activation == .foregroundActive, "somebody has touched it")
        }
    }

    @Test("for the choice of a window a tap counts from its admission, and what is silent never does")
    func fromAdmission() async throws {
        try await FerryDoor.run { daemon, client in
            func unaddressed() async throws -> ClientReceipt {
                try await client.openURL("ferry://tickets", .init(wait: .admitted))
            }
            #expect(try await unaddressed().scene == "A")
            try await client.quiesce()
            let lever = try await daemon.connect()
            let hold = try await lever.hold("admitted", "B", event: "tap")
            _ = try await client.openURL("ferry://pier/p1", .init(scene: "B", event: "tap", wait: .admitted))
            try await hold.caught()
            #expect(try await client.scene("B").activation == .background, "its turn has not begun")
            let next = try await unaddressed()
            #expect(next.scene == "B" && next.choice?.known == .active, "\(next.reply)")
            // A newer tap on the other window, which waits for nothing, takes the choice back.
            _ = try await client.openURL("ferry://pier/p2", .init(scene: "A"))
            #expect(try await unaddressed().scene == "A")
            try await hold.release()
            try await client.quiesce()
            let silent = try await lever.hold("admitted", "B", event: "silent")
            _ = try await client.push(
                payload: ["aps": ["content-available": 1]],
                .init(scene: "B", event: "silent", wait: .admitted)
            )
            try await silent.caught()
            #expect(try await unaddressed().scene == "A")
            try await silent.release()
        }
    }
}
