internal import SceneRouting

extension RoutingContext {
    /// The view of a snapshot that a decision is made by.
    ///
    /// - Parameter time: Seconds since 1970.
    init(_ snapshot: SessionSnapshot, settings: HostSettings, time: Double) {
        self.init(user: snapshot.user, facts: snapshot.facts, appVersion: settings.appVersion, time: time)
    }
}
