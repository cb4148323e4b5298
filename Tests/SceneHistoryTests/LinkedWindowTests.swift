import Basics
import SceneEntryPoints
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneVocabulary
import Testing

/// What links, taps and flows have built may stand where it is: a reload of the same file, a restoration and the checker say so, too
/// (<doc:/SceneRuntime/Scenes>).
@Suite("A window that links, taps and flows have built", .timeLimit(.minutes(5)))
struct LinkedWindowTests {
    private static let library = """
        format: 3
        version: "1"
        name: Library
        schemes: [library]
        tabs: { home: home, shelf: shelf }
        destinations:
          home: { tab: home }
          shelf: { tab: shelf }
          book: { ancestry: [shelf], parameters: { id: { type: string, default: any } }, routes: ["library://book"] }
          cover: { ancestry: [shelf, book], presentation: sheet, routes: ["library://cover"] }
          # Both stand where their own ancestries do not have them.
          author: { ancestry: [home, book], routes: ["library://author"] }
          portrait: { ancestry: [home, book, cover], routes: ["library://portrait"] }
          reader:
            ancestry: current
            presentation: sheet
            flow: reading
            routes: ["library://reader"]
          page:
            ancestry: [home]
            parameters: { number: { type: integer, default: 1 }, mode: { type: string, default: day } }
        flows:
          reading:
            screens: [reader, page]
            intents:
              pageTurned: { parameters: { to: { type: string } }, effects: [{ push: page, parameters: { number: { parameter: to } } }] }
              opened: { effects: [{ push: page }] }
              closed: { effects: [cancel] }
        """

    @Test(
        "shows a destination that a flow pushes as a link would, and a value that it does not allow not at all",
        arguments: [
            ("opened", nil, "page(mode: day, number: 1)"), ("pageTurned", "7", "page(mode: day, number: 7)"),
            ("pageTurned", "007", "page(mode: day, number: 7)"), ("pageTurned", "last", nil),
        ] as [(String, String?, String?)]
    )
    func pushed(intent: String, value: String?, page: String?) async throws {
        let club = try Club(manifest: Self.library)
        try await club.open("reader")
        let receipt = try await club.tap(intent, value.map { ["to": $0] } ?? [:])
        #expect(receipt.outcome == (page == nil ? .rejected(reason: "intentFailed") : .applied))
        #expect(try club.window.topmost?.description == page ?? "reader")
        let before = try club.window
        #expect(WindowRestoration.restore(before, engine: club.host.engine).window == before)
        await club.host.drain()
        let report = checked(club.records, app: club.manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }
}
