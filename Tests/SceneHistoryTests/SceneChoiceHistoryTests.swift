import SceneEntryPoints
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// Which scene took an event that named none is judged by the records alone (<doc:/SceneRuntime/Scenes>).
@Suite struct SceneChoiceHistoryTests {
    /// The records of three windows of the club in which links come: `choose` opens each, in the window named or in the one chosen.
    private static func records(_ links: [String?], quiet: Bool = false) async throws -> [JSONObject] {
        let club = try Club()
        for scene in ["B", "C"] { try club.host.connect(scene: scene, inBackground: quiet) }
        for scene in links {
            _ = await club.host.receipt(of: try club.host.admit(Submission(try .url("club://help"), scene: scene)))
            await club.host.quiesce()
        }
        await club.end()
        return club.records
    }

    @Test("what was chosen rightly holds, whichever windows were in front")
    func right() async throws {
        for quiet in [true, false] {
            let records = try await Self.records([nil, "B", nil, "A", nil, "C", nil], quiet: quiet)
            #expect(checked(records).violated.isEmpty)
            #expect(records.count { $0["choice"] == "active" } == 4)
        }
    }

    @Test("another word for the choice is noticed", arguments: ["recent", "oldest"])
    func word(word: String) async throws {
        var records = try await Self.records([nil])
        let admitted = try #require(records.lastIndex { $0["kind"] == "event.admitted" })
        #expect(records[admitted]["choice"] == "active")
        records[admitted]["choice"] = .string(word)
        #expect(checked(records).violated == [.lifecycle])
        #expect(checked(records).text.contains("took an event as \(word), but it is active"))
    }

    @Test("a window that was passed over is noticed once it takes another event")
    func passedOver() async throws {
        var records = try await Self.records(["A", "B"])
        // C became active last, and it takes nothing, so it may have been about to go; B did so before A.
        let admitted = try #require(records.firstIndex { $0["kind"] == "event.admitted" })
        records[admitted]["choice"] = "active"
        #expect(checked(records).violated == [.lifecycle])
        #expect(checked(records).text.contains("scene A took an event for which scene B comes first"))
        let gone = try #require(records.lastIndex { $0["kind"] == "event.admitted" })
        #expect(checked(Array(records[..<gone])).violated.isEmpty, "it may have been discarded")
    }
}
