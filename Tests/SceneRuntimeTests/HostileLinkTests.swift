import Foundation
import SceneEntryPoints
import SceneRuntime
import StrictJSON
import Testing

@Suite("Hostile links lead to an error or an outcome at every door", .timeLimit(.minutes(15)))
struct HostileLinkTests {
    /// The inputs of web-platform-tests; see the vectors' README for the origin.
    static let inputs: [String] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "SceneRoutingTests/Vectors/wpt-urltestdata.json")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return ((try? JSONValue(parsing: text))?.arrayValue ?? []).compactMap { $0["input"]?.stringValue }
    }()

    @Test("opened, pushed, tapped, continued: nothing traps, and the next good link is applied")
    func everyDoor() async throws {
        #expect(Self.inputs.count > 500)
        let shop = try TestHost(windows: ["A"])
        var admitted = 0
        for link in Self.inputs {
            let doors: [() throws -> EntryEvent] = [
                { try .url(link) },
                { try .push(payload: ["aps": ["alert": "x"], "url": .string(link)]) },
                { try .widget(kind: "deals", url: link) },
                { try .activity(activityType: "NSUserActivityTypeBrowsingWeb", webpageURL: link) },
            ]
            for door in doors {
                guard let event = try? door(), let admission = try? shop.host.admit(Submission(event, scene: "A"))
                else { continue }
                admitted += 1
                #expect(await shop.host.receipt(of: admission).outcome != .admitted)
            }
        }
        // A tapped push is admitted whatever its link.
        #expect(admitted > 0)
        #expect(try await shop.open("product/p1").outcome == .applied)
        #expect(shop.records(of: .violation).isEmpty)
    }
}
