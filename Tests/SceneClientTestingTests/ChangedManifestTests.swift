import Foundation
import SceneClientTesting
import TestFixtures
import Testing

/// What can be is judged by the manifest in force, not by the one that was when the test began.
@Suite("A test's app that is reloaded", .daemon(app: changedManifest), .timeLimit(.minutes(15)))
struct ChangedManifestTests {
    private static let original = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "hotel.yaml")

    /// The hotel with another name for `room`, and another type for what has been paid.
    fileprivate static func text(room: String) throws -> String {
        let text = try String(contentsOf: original, encoding: .utf8).replacing("  room:\n", with: "  \(room):\n")
        return room == "room" ? text : text.replacing("paid: { type: integer", with: "paid: { type: number")
    }

    @Test("knows what can be by the manifest in force, and refuses nothing that has come")
    func reload() async throws {
        let app = TestApp.current
        let window = try await app.window()
        try await window.expect(notShown: "room(id: 7)")
        let gated = try await window.open("hotel://bill")
        try await gated.expect(gatedAt: "signedIn")

        try Self.text(room: "suite").write(toFile: changedManifest, atomically: true, encoding: .utf8)
        _ = try await app.client.call("io.scened.Manager.Reload")
        try await window.expect(notShown: "suite(id: 7)")
        await #expect(throws: DaemonTestError.self) { try await window.expect(notShown: "room(id: 7)") }
        await #expect(throws: DaemonTestError.self) { try await window.expect("rooms › room(id: 7)") }
        _ = try await app.set(["paid": 0.5])
        try await app.expect(facts: ["paid": 0.5])

        try Self.text(room: "room").write(toFile: changedManifest, atomically: true, encoding: .utf8)
        _ = try await app.client.call("io.scened.Manager.Reload")
        await #expect(throws: DaemonTestError.self) { try await app.expect(facts: ["paid": 0.5]) }
    }
}

/// A copy of the hotel's manifest, which the test changes.
private let changedManifest: String = {
    let file = "\(Command.folder)/changed-hotel.yaml"
    try? ChangedManifestTests.text(room: "room").write(toFile: file, atomically: true, encoding: .utf8)
    return file
}()
