#if canImport(UIKit) && !os(watchOS)
    internal import SceneEntryPoints
    internal import SceneRuntime
    internal import StrictJSON
    public import UIKit
    #if canImport(UserNotifications) && !os(tvOS)
        public import UserNotifications
    #endif

    /// The delegate of an app's scenes: hands the runtime what UIKit says. Subclass it and say which app it is for:
    ///
    ///     final class SceneDelegate: SceneWindowDelegate {
    ///         override class var app: SceneApp? { AppDelegate.shared.app }
    ///     }
    @MainActor
    open class SceneWindowDelegate: UIResponder, UIWindowSceneDelegate {
        /// The window that UIKit shows.
        public var window: UIWindow?

        /// The app that the runtime drives. Override it.
        open class var app: SceneApp? { nil }

        private var app: SceneApp? { Self.app }

        // MARK: - The life of a scene

        open func scene(
            _ scene: UIScene,
            willConnectTo session: UISceneSession,
            options connectionOptions: UIScene.ConnectionOptions
        ) {
            guard let app, let windowScene = scene as? UIWindowScene else { return }
            app.ids.note(session, connectionOptions.userActivities)
            let id = app.ids.of(session)
            let window = UIWindow(windowScene: windowScene)
            self.window = window
            let kept = app.read("what \(id) showed before") { () throws(JSONFieldError) in
                try KeptWindow(session.stateRestorationActivity)
            }
            app.connect(window, session, as: id, restoring: kept ?? nil)
            window.makeKeyAndVisible()
            open(connectionOptions.urlContexts, in: scene)
            for activity in connectionOptions.userActivities.sorted(by: { $0.activityType < $1.activityType })
            where activity.activityType != SceneIDs.activityType {
                send(activity, in: scene)
            }
            #if !os(tvOS)
                if let response = connectionOptions.notificationResponse, !handles(response, in: scene) {
                    app.take(response, in: id) {}
                }
                if let item = connectionOptions.shortcutItem, !handles(item, in: scene) {
                    choose(item, in: id) { _ in }
                }
            #endif
            if let type = connectionOptions.handoffUserActivityType { announce(type, in: id) }
        }

        open func sceneDidDisconnect(_ scene: UIScene) {
            window = nil
            if let app { app.disconnect(app.ids.of(scene.session)) }
        }

        open func sceneWillEnterForeground(_ scene: UIScene) { activate(.foregroundInactive, scene) }

        open func sceneDidBecomeActive(_ scene: UIScene) { activate(.foregroundActive, scene) }

        open func sceneWillResignActive(_ scene: UIScene) { activate(.foregroundInactive, scene) }

        open func sceneDidEnterBackground(_ scene: UIScene) { activate(.background, scene) }

        private func activate(_ activation: Activation, _ scene: UIScene) {
            if let app { app.setActivation(activation, of: app.ids.of(scene.session)) }
        }

        open func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
            app.flatMap { $0.saved($0.ids.of(scene.session)) }?.activity
        }

        // MARK: - What the app keeps

        /// Takes a link that is not for the runtime: one of the app's schemes or of the web, at launch, when the window is there, or later.
        /// The default takes none.
        ///
        /// - Returns: `true` if it is taken; the runtime does not hear of it then.
        open func handles(_ url: URL, in scene: UIScene) -> Bool { false }

        #if !os(tvOS)
            /// Takes a quick action that is not for the runtime, at launch or later. The default takes none.
            ///
            /// - Returns: `true` if it is taken; the system is told so, and the runtime does not hear of it.
            open func handles(_ shortcutItem: UIApplicationShortcutItem, in scene: UIScene) -> Bool { false }

            /// Says whether the response to a notification that a scene was launched with is not for the runtime. The delegate of the
            /// center of notifications is called with it, too: override that method of ``SceneNotificationDelegate`` likewise.
            ///
            /// - Returns: `true` if the runtime is not to get it here. The default is `false`.
            open func handles(_ response: UNNotificationResponse, in scene: UIScene) -> Bool { false }
        #endif

        // MARK: - Events

        open func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
            open(URLContexts, in: scene)
        }

        open func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
            if let app { announce(userActivityType, in: app.ids.of(scene.session)) }
        }

        open func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
            send(userActivity, in: scene)
        }

        open func scene(
            _ scene: UIScene,
            didFailToContinueUserActivityWithType userActivityType: String,
            error: any Error
        ) {
            guard let app else { return }
            let id = app.ids.of(scene.session)
            guard app.isAnnounced(userActivityType, in: id) else { return }
            app.announce(nil, in: id)
            let event = app.read("the failed activity") { () throws(JSONFieldError) in
                try EntryEvent.activity(activityType: userActivityType, failure: "\(error)")
            }
            if let event { app.send(event, to: id) }
        }

        #if !os(tvOS)
            open func windowScene(
                _ windowScene: UIWindowScene,
                performActionFor shortcutItem: UIApplicationShortcutItem,
                completionHandler: @escaping (Bool) -> Void
            ) {
                if handles(shortcutItem, in: windowScene) { return completionHandler(true) }
                guard let app else { return completionHandler(false) }
                choose(shortcutItem, in: app.ids.of(windowScene.session), completionHandler)
            }

            private func choose(_ item: UIApplicationShortcutItem, in id: String, _ done: @escaping (Bool) -> Void) {
                guard let app,
                    let event = app.read(
                        "the quick action",
                        { () throws(JSONFieldError) in try EntryEvent.chosen(item) }
                    )
                else { return done(false) }
                app.send(event, to: id) { receipt in
                    switch receipt?.outcome.name {
                    case nil, .rejected, .abandoned: done(false)
                    case .applied, .unchanged, .delivered, .ignored, .superseded, .gated, .admitted: done(true)
                    }
                }
            }
        #endif

        /// Several URLs of the app's schemes come as a set. A web link comes by itself.
        private func open(_ contexts: Set<UIOpenURLContext>, in scene: UIScene) {
            let sorted = contexts.sorted { $0.url.absoluteString < $1.url.absoluteString }
                .filter { !handles($0.url, in: scene) }
            guard let app else { return }
            let id = app.ids.of(scene.session)
            if URLSet.sizes.contains(sorted.count),
                let urls = try? URLSet(
                    sorted.map(\.url.absoluteString),
                    sourceApplication: sorted[0].options.sourceApplication
                )
            {
                return app.send(urls, to: id)
            }
            for context in sorted {
                let event = app.read("the URL") { () throws(JSONFieldError) in try EntryEvent.opened(context) }
                if let event { app.send(event, to: id) }
            }
        }

        private func announce(_ type: String, in id: String) {
            // A web link is announced, too, and comes from this device.
            guard let app, type != UserActivity.browsingWeb else { return }
            app.announce(type, in: id)
            let event = app.read("the announced activity") { () throws(JSONFieldError) in
                try EntryEvent.activity(activityType: type, announced: true)
            }
            if let event { app.send(event, to: id) }
        }

        private func send(_ activity: NSUserActivity, in scene: UIScene) {
            if activity.activityType == UserActivity.browsingWeb, let link = activity.webpageURL,
                handles(link, in: scene)
            {
                return
            }
            guard let app else { return }
            let id = app.ids.of(scene.session)
            let isHandoff = app.isAnnounced(activity.activityType, in: id)
            if isHandoff { app.announce(nil, in: id) }
            let event = app.read("the activity") { () throws(JSONFieldError) in
                try EntryEvent.continued(activity, isHandoff: isHandoff)
            }
            if let event { app.send(event, to: id) }
        }
    }
#endif
