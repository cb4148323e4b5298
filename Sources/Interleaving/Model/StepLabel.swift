/// What a person calls a step: who did it, where, and what.
public struct StepLabel: Hashable, Sendable {
    /// The name of the task, such as `window B` or `task 3`.
    public var task: String
    /// The name of the actor, or other serial executor, that it ran on.
    public var actor: String?
    /// The function that went on, such as `Session.commit(_:)`.
    public var function: String?
    /// The source file, and the line in it counted from 1, at which it went on.
    public var file: String?
    public var line: Int?

    public init(task: String, actor: String? = nil, function: String? = nil, file: String? = nil, line: Int? = nil) {
        self.task = task
        self.actor = actor
        self.function = function
        self.file = file
        self.line = line
    }
}

extension StepLabel {
    /// A label of numbers, for a step that nothing else is known of.
    public init(unknown step: Step) {
        self.init(
            task: "task \(step.choice.task)",
            actor: step.choice.executor == 0 ? nil : "actor \(step.choice.executor)"
        )
        switch step.choice.kind {
        case .job: break
        case .timer: function = "a sleep ends"
        case .fault: function = "a fault happens"
        }
    }

    /// The name of the file without its folders, and the line, such as `Session.swift:41`.
    public var place: String? {
        guard let name = file?.split(separator: "/").last else { return nil }
        return line.map { "\(name):\($0)" } ?? String(name)
    }
}
