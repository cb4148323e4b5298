import Basics
@testable import SceneRuntime
import Testing

@Suite("What a mailbox gives its consumer first")
struct MailboxTests {
    private static func isSweep(_ next: Mailbox.Next) -> Bool {
        guard case .item(.sweep) = next else { return false }
        return true
    }

    private static func isChange(_ next: Mailbox.Next) -> Bool {
        guard case .item(.lifecycle) = next else { return false }
        return true
    }

    @Test("a sweep goes ahead of everything that waits, also of what the consumer was woken for", arguments: [1, 3])
    func sweepGoesFirst(changes: Int) throws {
        let mailbox = Mailbox(capacity: 4)
        let wakes = Guarded(0)
        guard case .rest = mailbox.take(orRest: { wakes.withLock { $0 += 1 } }) else {
            return _ = Issue.record("an empty mailbox lets its consumer rest")
        }
        for _ in 0..<changes { try mailbox.post(LifecycleChange(kind: .disconnect) { _ in }, of: "A") }
        #expect(wakes.withLock { $0 } == 1)
        #expect(mailbox.postSweep())
        #expect(!mailbox.postSweep(), "one is enough")
        #expect(wakes.withLock { $0 } == 1, "it is awake")
        #expect(Self.isSweep(mailbox.take {}))
        for _ in 0..<changes { #expect(Self.isChange(mailbox.take {})) }
        #expect(mailbox.isEmpty)
        guard case .rest = mailbox.take(orRest: {}) else { return _ = Issue.record("nothing is left") }
    }

    @Test("a sweep wakes a consumer that rests, and goes ahead of what comes before it has begun")
    func sweepWakes() throws {
        let mailbox = Mailbox(capacity: 4)
        _ = mailbox.take(orRest: {})
        #expect(mailbox.postSweep())
        try mailbox.post(LifecycleChange(kind: .disconnect) { _ in }, of: "A")
        #expect(Self.isSweep(mailbox.take {}))
        #expect(mailbox.postSweep(), "the first one has begun")
        #expect(Self.isSweep(mailbox.take {}))
        #expect(Self.isChange(mailbox.take {}))
    }

    @Test("what the consumer was woken for waits like the rest once a sweep has come before it")
    func putBack() throws {
        let mailbox = Mailbox(capacity: 4)
        func post() throws { try mailbox.post(LifecycleChange(kind: .disconnect) { _ in }, of: "A") }
        _ = mailbox.take(orRest: {})
        try post()
        #expect(mailbox.isEmpty)
        #expect(mailbox.postSweep())
        for _ in 1..<Mailbox.mostChanges { try post() }
        #expect(throws: SceneError.self) { try post() }
        #expect(Self.isSweep(mailbox.take {}))
        for _ in 0..<Mailbox.mostChanges { #expect(Self.isChange(mailbox.take {})) }
        #expect(mailbox.isEmpty)
    }

    @Test("changes of the scene's life are bounded, whoever asks for them, and those taken make room")
    func changesAreBounded() throws {
        let mailbox = Mailbox(capacity: 4)
        func post() throws { try mailbox.post(LifecycleChange(kind: .disconnect) { _ in }, of: "A") }
        for _ in 0..<Mailbox.mostChanges { try post() }
        #expect(throws: SceneError.queueFull(scene: "A", limit: Mailbox.mostChanges)) { try post() }
        #expect(Self.isChange(mailbox.take {}))
        try post()
        #expect(throws: SceneError.self) { try post() }
    }
}
