internal import SceneRuntime

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

    let line: Line
    /// What the record says happened; `nil` for a step of the scenario. That a dispatch began depends on nothing, so it is
    /// no moment.
    let kind: RecordKind?
    /// The window, where it has to do with one only.
    let scene: String?

    /// What it is called where a person is told of it.
    var name: String { kind?.rawValue ?? "the step" }

    var isInside: Bool {
        if case .step = line { false } else { true }
    }
}
