internal import SceneVocabulary

/// What a scene can ask of its host for one of its attempts. Each is decided and done in one synchronous section, in which the user
/// to whom the attempt belongs cannot leave (<doc:TheSession#S8>).
package struct WindowDesk: Sendable {
    /// Opens a window for a destination, in a configuration of the manifest or, for `nil`, in the first.
    ///
    /// - Returns: The outcome, if the attempt ends here: nothing was asked for. `nil` if the window is there, or the app is told why
    ///   there is none.
    let open: @Sendable (_ destination: Destination, _ configuration: String?, Attempt) -> Outcome?
    /// Discards the scene.
    ///
    /// - Returns: As ``open``.
    let close: @Sendable (Attempt) -> Outcome?
    /// Discards every other scene that is for a destination. Whether the attempt's own is, too, it is told
    /// (``Attempt/closing``): that one is closed last.
    ///
    /// - Returns: As ``open``.
    let closeOthers: @Sendable (_ destination: Destination, Attempt) -> Outcome?
    /// Has the attempt's scene, or every one that is for a destination, judged again; brings back what is disconnected.
    ///
    /// - Returns: As ``open``.
    let refresh: @Sendable (_ destination: Destination?, Attempt) -> Outcome?
}
