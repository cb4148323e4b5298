/// Something that happened in a run at one time, and that has to be put in order with others.
struct Moment: Hashable {
    /// What happens by itself, one moment after the other.
    enum Line: Hashable {
        /// A step of the scenario, by its number among all.
        case step(Int)
        /// An attempt of an event in a window; 1 is its dispatch, more are resumes.
        case work(scene: String, event: String, attempt: Int)
        /// A sweep of a window, counted from 1.
        case sweep(scene: String, number: Int)
    }

    /// That a dispatch began depends on nothing, so it is none.
    enum Kind: String, Hashable {
        case command = "the step"
        case resolved = "dispatch.resolved"
        case planned = "dispatch.planned"
        case step = "navigation.step"
        case parked = "gate.parked"
        case ended = "dispatch.ended"
        case committed = "session.committed"
        case swept = "scene.swept"
    }

    let line: Line
    let kind: Kind
    /// The window, where it has to do with one only.
    let scene: String?

    var isInside: Bool {
        if case .step = line { false } else { true }
    }
}
