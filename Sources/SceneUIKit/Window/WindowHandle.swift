#if canImport(UIKit) && !os(watchOS)
    public import SceneNavigation
    public import SceneRuntime
    public import UIKit

    /// What a window's view controllers may know of it: they report what happened, and the app's coordinators decide where that leads.
    @MainActor
    public final class WindowHandle {
        /// The ID of the window's scene.
        public let id: String
        private weak var app: SceneApp?
        weak var driver: WindowDriver?

        init(id: String, app: SceneApp?) {
            self.id = id
            self.app = app
        }

        /// Reports what happened on the topmost screen. The intent is handled at its turn, after this has returned.
        ///
        /// - Parameters:
        ///   - intent: What happened.
        ///   - reporter: What reports by itself, such as a covered screen whose download has ended: the ID of a screen that is
        ///     shown, or a container in the words of records, such as `tab home`. `nil` for what somebody did on the topmost screen.
        /// - Throws: ``/SceneRuntime/AdmissionError``, for example if the intent does not take these parameters.
        public func report(_ intent: Intent, from reporter: String? = nil) throws(AdmissionError) {
            guard let app else { throw .draining }
            try app.submit(.intent(intent, from: reporter), in: id) { _ in }
        }

        /// Reports the gesture of a control of the app's own, such as the button that closes a presentation.
        ///
        /// - Throws: ``/SceneRuntime/AdmissionError`` for a tab that the app does not have.
        public func report(_ gesture: Gesture) throws(AdmissionError) {
            guard let app else { throw .draining }
            try app.submit(.gesture(gesture), in: id) { _ in }
        }

        /// Reports how a flow has ended.
        ///
        /// - Throws: ``/SceneRuntime/AdmissionError`` for a flow that the app does not have, or a fact that is not declared so.
        public func finish(_ flow: String, _ result: FlowResult) throws(AdmissionError) {
            guard let app else { throw .draining }
            try app.submit(.finishFlow(flow, result), in: id) { _ in }
        }

        /// See ``SceneApp/revealed(_:)``.
        public func revealed(_ text: String) -> String { app?.revealed(text) ?? text }

        /// A button of an alert that reports an intent, or only closes the alert. UIKit takes an alert off the screen at each of its
        /// buttons and tells nobody: an alert needs buttons that are made here. If the alert is still to be shown once the intent
        /// has been handled, it counts as dismissed.
        public func alertAction(
            _ title: String?,
            style: UIAlertAction.Style = .default,
            reporting intent: Intent? = nil
        ) -> UIAlertAction {
            UIAlertAction(title: title, style: style) { [weak app, weak driver, id] action in
                let settled = driver?.tapped(action) ?? {}
                guard let intent, let app else { return settled() }
                do throws(AdmissionError) {
                    try app.submit(.intent(intent, from: nil), in: id) { _ in settled() }
                } catch {
                    app.refuse("the intent \(intent.name) of an alert's button: \(error)")
                    settled()
                }
            }
        }
    }
#endif
