import Foundation
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing

@Suite("Variants of destinations on the live daemon", .timeLimit(.minutes(15)))
struct VariantsTests {
    private static let app = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Apps/offers.yaml")

    @Test("a user sees one variant in every window, whatever the fact becomes, until the host is reset")
    func once() async throws {
        try await LiveDaemon.run(["--app", Self.app.path]) { daemon in
            let client = try await daemon.client()
            func scenectl(_ arguments: String...) async throws -> String {
                let run = try await Program.run(Command.built("scenectl"), arguments + ["--socket", daemon.socket])
                #expect(run.status == .exited(0), "\(run.errors)")
                return run.output
            }
            for scene in ["A", "B"] { _ = try await client.connect(scene: scene) }
            let link = try await client.openURL("offers://offer/o1", .init(scene: "A", event: "link"))
            #expect(link.outcome == .gated && link.precondition == "signedIn")
            #expect(try await scenectl("resolve", "offers://offer/o1").contains("gated on signedIn"))
            _ = try await client.signIn(user: "mina", facts: ["arm": "plus"])
            try await client.quiesce()
            #expect(try await client.scene("A").window?.trail == ["home", "offerPlus(id: o1)"])
            let why = try await scenectl("why", "link")
            #expect(why.contains("offerPlus of offer, for mina from now on  (revision 1)"), "\(why)")
            #expect(why.contains("offer(id: o1) as offerPlus(id: o1) may proceed"), "\(why)")
            let chosen = try await daemon.record("variant.chosen")
            #expect(chosen["user"] == "mina" && chosen["event"] == "link" && chosen["attempt"] == 2)
            #expect(chosen["variant"] == ["id": "offerPlus", "parameters": ["id": "o1"]])

            _ = try await client.commit(set: ["arm": "club"])
            let other = try await client.openURL("offers://offer/o2", .init(scene: "B"))
            #expect(other.outcome == .applied && other.window?.trail == ["home", "offerPlus(id: o2)"])
            // What was chosen is what Resolve says, for another user what would be.
            let explained = try await scenectl("resolve", "--explain", "offers://offer/o3")
            #expect(explained.contains("was chosen for the user before, whatever holds now"), "\(explained)")
            #expect(explained.contains("proceed  home › offerPlus(id: o3)"), "\(explained)")
            let asTheo = try await scenectl("resolve", "--user", "theo", "offers://offer/o3")
            #expect(
                asTheo.contains("gated on member (flow join), then  saved › [offerClub(id: o3, size: s)]"),
                "\(asTheo)"
            )
            #expect(try await scenectl("urls", "offer", "id=o1").contains("offers://offer/o1"))
            #expect(try await scenectl("routes").contains("or offerPlus, offerClub  needs available, signedIn"))
            #expect(try await daemon.records().count { $0["kind"] == "variant.chosen" } == 1)

            _ = try await client.reset()
            _ = try await client.connect(scene: "A")
            _ = try await client.signIn(user: "mina", facts: ["arm": "none"])
            let anew = try await client.openURL("offers://offer/o1", .init(scene: "A"))
            #expect(anew.window?.trail == ["home", "offer(id: o1)"])
        }
    }
}
