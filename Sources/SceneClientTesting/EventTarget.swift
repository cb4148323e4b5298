internal import Basics
public import SceneClient
public import StrictJSON

/// What iOS delivers events to: a window, or the app, for which the daemon chooses the window.
///
/// Each method returns when `wait` says so: at once, when the first attempt has ended, or at the terminal outcome; in a window that is
/// held, when the event is caught. An event that nothing could become of, such as a link that no route takes, is thrown as a
/// `SceneClientError`.
public protocol EventTarget: Sendable {
    /// The app.
    var app: TestApp { get }
    /// The window; `nil` lets the daemon choose one.
    var scene: String? { get }
}

extension EventTarget {
    /// Opens a URL: a universal link, or one of the app's schemes.
    @discardableResult
    public func open(_ url: String, wait: ReceiptStage = .settled, event: String? = nil) async throws -> TestEvent {
        try await deliver(url, wait, event) { try await $0.openURL(url, $1) }
    }

    /// Delivers a remote notification, and what the user does with it.
    /// - Parameters:
    ///   - payload: The APNs payload.
    ///   - interaction: `present`, `open`, `dismiss` or `action`; by default a tap, or nothing if it shows no notification.
    ///   - action: The action of the notification's category that the user chooses.
    ///   - text: What the user types for it.
    ///   - wait: How far the event must have come before this returns.
    ///   - event: The client's ID for it; `nil` makes one.
    @discardableResult
    public func push(
        _ payload: JSONObject,
        interaction: String? = nil,
        action: String? = nil,
        text: String? = nil,
        wait: ReceiptStage = .settled,
        event: String? = nil
    ) async throws -> TestEvent {
        let interaction = interaction ?? (action == nil ? nil : "action")
        return try await deliver("a push", wait, event) {
            try await $0.push(payload: payload, interaction: interaction, action: action, text: text, $1)
        }
    }

    /// Delivers a push that is only an alert.
    @discardableResult
    public func push(alert: String, wait: ReceiptStage = .settled, event: String? = nil) async throws -> TestEvent {
        try await push(["aps": ["alert": .string(alert)]], wait: wait, event: event)
    }

    /// Continues a user activity: a universal link, Handoff, Spotlight, Siri.
    /// - Parameters:
    ///   - type: The activity's type.
    ///   - userInfo: What the activity carries.
    ///   - webpageURL: Its page, for a universal link.
    ///   - handoff: Whether it comes from another device.
    ///   - announced: Whether only its type is known yet.
    ///   - failure: Why it will not come after all.
    ///   - wait: How far the event must have come before this returns.
    ///   - event: The client's ID for it; `nil` makes one.
    @discardableResult
    public func activity(
        _ type: String,
        userInfo: JSONObject? = nil,
        webpageURL: String? = nil,
        handoff: Bool = false,
        announced: Bool = false,
        failure: String? = nil,
        wait: ReceiptStage = .settled,
        event: String? = nil
    ) async throws -> TestEvent {
        try await deliver(type, wait, event) {
            try await $0.continueActivity(
                type: type,
                webpageURL: webpageURL,
                userInfo: userInfo,
                handoff: handoff,
                announced: announced,
                failure: failure,
                $1
            )
        }
    }

    /// Taps a widget of this kind.
    @discardableResult
    public func widget(
        _ kind: String,
        url: String? = nil,
        userInfo: JSONObject? = nil,
        wait: ReceiptStage = .settled,
        event: String? = nil
    ) async throws -> TestEvent {
        try await deliver("the widget \(kind)", wait, event) {
            try await $0.tapWidget(kind: kind, url: url, userInfo: userInfo, $1)
        }
    }

    /// Chooses a quick action of the app's icon.
    @discardableResult
    public func shortcut(
        _ type: String,
        userInfo: JSONObject? = nil,
        wait: ReceiptStage = .settled,
        event: String? = nil
    ) async throws -> TestEvent {
        try await deliver("the quick action \(type)", wait, event) {
            try await $0.performShortcut(type: type, userInfo: userInfo, $1)
        }
    }

    /// Sends an event, and waits; in a window that is held, only until it is caught.
    func deliver(
        _ description: String,
        _ wait: ReceiptStage,
        _ event: String?,
        _ send: @escaping TestEvent.Send
    ) async throws -> TestEvent {
        let run = try app.run()
        if wait != .admitted { try run.refuseInAdapter("wait for another event") }
        // A virtual clock may have to move, and a held window to be let go, before it settles; neither happens while a call waits.
        let holds = run.state.withLock(\.holds)
        let waitsHere = run.isVirtual || !holds.isEmpty || wait == .finished
        let delivery = SceneClient.Delivery(scene: scene, event: event, wait: waitsHere ? .admitted : wait)
        let receipt = try await run.within("\(description) to be admitted") { try await send(run.client, delivery) }
        let sent = TestEvent(run: run, id: receipt.event, description: description, scene: scene, send: send)
        if let scene = receipt.scene { run.state.withLock { $0.last[scene] = sent } }
        if waitsHere, wait != .admitted {
            try await sent.wait(for: wait, under: holds.filter { $0.mayCatch(receipt.scene, receipt.event) })
        }
        return sent
    }
}
