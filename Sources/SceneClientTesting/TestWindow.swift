internal import Basics
public import SceneClient
public import StrictJSON

/// A window of an app, by its name.
public struct TestWindow: EventTarget {
    /// The app.
    public let app: TestApp
    /// The scene's ID.
    public let name: String
    /// The scene's ID.
    public var scene: String? { name }

    /// Its state now: activation, tabs, presentations, coordinators, what is parked; `nil` if there is no such scene.
    public func state() async throws -> ClientScene? {
        do {
            return try await app.client.scene(name)
        } catch let error as SceneClientError {
            if case .unknownScene = error.refusal { return nil }
            throw error
        }
    }

    // MARK: - What somebody does in it

    /// The topmost screen reports what happened: an intent with its parameters.
    /// - Parameters:
    ///   - intent: The intent's name.
    ///   - parameters: Its parameters, by name.
    ///   - reporter: The screen or container that reports it by itself; `nil` for the topmost screen.
    ///   - wait: How far the event must have come before this returns.
    ///   - event: The client's ID for it; `nil` makes one.
    @discardableResult
    public func report(
        _ intent: String,
        _ parameters: [String: String] = [:],
        by reporter: String? = nil,
        wait: ReceiptStage = .settled,
        event: String? = nil
    ) async throws -> TestEvent {
        try await deliver(intent, wait, event) {
            try await $0.sendIntent(intent, parameters: parameters, from: reporter, $1)
        }
    }

    /// Makes a gesture.
    @discardableResult
    public func gesture(
        _ gesture: Gesture,
        wait: ReceiptStage = .settled,
        event: String? = nil
    ) async throws -> TestEvent {
        try await deliver(gesture.name.rawValue, wait, event) { try await $0.gesture(gesture, $1) }
    }

    /// Taps the back button.
    @discardableResult
    public func back() async throws -> TestEvent { try await gesture(.back) }

    /// Taps a tab.
    @discardableResult
    public func select(tab: String) async throws -> TestEvent { try await gesture(.selectTab(tab)) }

    /// The last screen of a flow reports that it was completed.
    /// - Parameters:
    ///   - flow: The flow.
    ///   - user: The user who signed in, for a flow that signs in.
    ///   - facts: Facts to commit with the completion.
    ///   - values: What the flow hands to the flow that started it.
    ///   - wait: How far the event must have come before this returns.
    ///   - event: The client's ID for it; `nil` makes one.
    @discardableResult
    public func complete(
        _ flow: String,
        user: String? = nil,
        facts: JSONObject? = nil,
        values: [String: String] = [:],
        wait: ReceiptStage = .settled,
        event: String? = nil
    ) async throws -> TestEvent {
        try await deliver("\(flow) completed", wait, event) {
            try await $0.completeFlow(flow, user: user, facts: facts, values: values, $1)
        }
    }

    /// The last screen of a flow reports that it was cancelled.
    @discardableResult
    public func cancel(
        _ flow: String,
        wait: ReceiptStage = .settled,
        event: String? = nil
    ) async throws -> TestEvent {
        try await deliver("\(flow) cancelled", wait, event) { try await $0.cancelFlow(flow, $1) }
    }

    // MARK: - Its life

    /// Opens it, or brings it back after ``disconnect()``.
    /// - Parameters:
    ///   - configuration: The scene configuration; `nil` for the app's first.
    ///   - window: What it shows at first, as JSON.
    ///   - owner: Whose that was.
    ///   - inBackground: Whether nobody looks at it, so that it goes to the background.
    public func connect(
        configuration: String? = nil,
        restoring window: JSONObject? = nil,
        of owner: JSONObject? = nil,
        inBackground: Bool = false
    ) async throws {
        try await live("connect") {
            _ = try await $0.connect(
                scene: name,
                configuration: configuration,
                restoring: window,
                of: owner,
                inBackground: inBackground
            )
        }
    }

    /// The system releases it; the next event, or ``connect(configuration:restoring:of:inBackground:)``, brings it back.
    public func disconnect() async throws { try await live("disconnect") { _ = try await $0.disconnect(scene: name) } }

    /// Somebody closes it for good.
    public func discard() async throws { try await live("discard") { _ = try await $0.discard(scene: name) } }

    /// Puts it into the background, by the steps that UIKit takes.
    public func background() async throws { try await go(.foregroundInactive, .background) }

    /// Brings it to the front, by the steps that UIKit takes.
    public func foreground() async throws { try await go(.foregroundInactive, .foregroundActive) }

    private func go(_ steps: Activation...) async throws {
        try await live(steps.last?.rawValue ?? "") { client in
            for step in steps {
                let activation = try await client.scene(name).activation
                if activation.known == steps.last { return }
                if activation != step { _ = try await client.setActivation(step, of: name) }
            }
        }
    }

    /// Changes its life. Behind what a hold keeps in it that is only asked for: the end of the hold waits for it.
    private func live(_ what: String, _ act: @escaping @Sendable (SceneClient) async throws -> Void) async throws {
        let run = try app.run()
        try run.refuseInAdapter("change a window's life")
        // The change comes when everything has ended that was admitted, for which a virtual clock has to move.
        if run.isVirtual { try await run.settle() }
        for hold in run.state.withLock(\.holds) where try await hold.look() && hold.caught?.scene == name {
            return run.beginChange("window \(name): \(what)", act)
        }
        try await run.within("window \(name) to \(what)") { try await act(run.client) }
    }
}
