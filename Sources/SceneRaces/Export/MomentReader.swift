internal import SceneRuntime
internal import StrictJSON

/// Reads the moments of a run from its records.
struct MomentReader {
    private let steps: [ScenarioStep]
    private let course: RaceCourse
    /// The numbers of each actor's steps. Actor n has the connection n + 1.
    private let actors: [Range<Int>]
    private var moments: [(time: Int, moment: Moment)] = []
    private var isPlaced: Set<Int> = []
    private var attempts: [String: Int] = [:]
    private var sweeps: [String: Int] = [:]
    /// The newest epoch of each window's records so far.
    private var epochs: [String: Int] = [:]

    init(_ scenario: Scenario, _ course: RaceCourse) {
        var steps: [ScenarioStep] = []
        var actors: [Range<Int>] = []
        for actor in scenario.actors {
            actors.append(steps.count..<steps.count + actor.steps.count)
            steps += actor.steps
        }
        self.steps = steps
        self.actors = actors
        self.course = course
    }

    /// The moments in their order.
    /// - Throws: ``RaceScriptError`` if something happened that a script cannot do.
    mutating func read(_ records: [String]) throws(RaceScriptError) -> [Moment] {
        for line in records {
            guard let record = (try? JSONValue(parsing: line))?.objectValue, let index = record["index"]?.integerValue,
                let kind = record["kind"]?.stringValue.flatMap(RecordKind.init)
            else { continue }
            if index > course.before { try read(record, kind, index) }
            if let scene = record["scene"]?.stringValue, let epoch = record["epoch"]?.integerValue {
                epochs[scene] = epoch
            }
        }
        for (number, step) in steps.enumerated() where !isPlaced.contains(number) {
            if case .wait = step.action { continue }
            if case .read = step.action { continue }
            // A step that changes nothing or is refused leaves no record.
            guard let mark = course.marks[step.name] else { continue }
            place(number, at: mark.done, nil)
        }
        // A step without a record comes after the record that was the newest at that time.
        return moments.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
            \.element.moment
        )
    }

    private mutating func place(_ number: Int, at time: Int, _ scene: String?) {
        isPlaced.insert(number)
        var scene = scene
        if scene == nil { scene = steps[number].target }
        moments.append((time, Moment(line: .step(number), kind: nil, scene: scene)))
    }

    private mutating func read(_ record: JSONObject, _ kind: RecordKind, _ index: Int) throws(RaceScriptError) {
        let scene = record["scene"]?.stringValue
        switch kind {
        case .eventAdmitted:
            guard let event = record["event"]?.stringValue, record["set"]?["place"] ?? 1 == 1 else { return }
            if let number = steps.indices.first(where: { steps[$0].events.contains(event) && !isPlaced.contains($0) }) {
                place(number, at: index, scene)
            }
        case .sessionCommitted: try readCommit(record, index)
        case .sceneConnected, .sceneDisconnected, .sceneDiscarded, .sceneActivation:
            guard let scene, let number = changing(scene, at: index) else { return }
            place(number, at: index, scene)
        case .sceneSwept:
            if let scene { moments.append((index, Moment(line: sweep(of: scene), kind: .sceneSwept, scene: scene))) }
            if let scene { sweeps[scene, default: 1] += 1 }
        case .navigationStep
        where record["cause"]?.stringValue == NavigationCause.sweep.rawValue && record["event"] == nil:
            if let scene {
                moments.append((index, Moment(line: sweep(of: scene), kind: .navigationStep, scene: scene)))
            }
        case .dispatchResolved, .dispatchPlanned, .navigationStep, .gateParked, .dispatchEnded:
            guard let scene, let event = record["event"]?.stringValue,
                let attempt = record["attempt"]?.integerValue
            else { return }
            attempts[event] = attempt
            let line = Moment.Line.work(scene: scene, event: event, attempt: attempt)
            let kind = isRemoval(record, of: line) ? .sceneSwept : kind
            moments.append((index, Moment(line: line, kind: kind, scene: scene)))
        default: return
        }
    }

    /// Whether a record is a step in which an attempt removes what belonged to a user who has left: the first steps of the attempt in a new
    /// epoch. They take no time, so that no hold can catch one.
    private func isRemoval(_ record: JSONObject, of line: Moment.Line) -> Bool {
        guard record["cause"]?.stringValue == NavigationCause.sweep.rawValue, let scene = record["scene"]?.stringValue
        else { return false }
        let isFirst = record["epoch"]?.integerValue != epochs[scene, default: 0]
        return isFirst || moments.last { $0.moment.line == line }?.moment.kind == .sceneSwept
    }

    private func sweep(of scene: String) -> Moment.Line { .sweep(scene: scene, number: sweeps[scene, default: 1]) }

    private mutating func readCommit(_ record: JSONObject, _ index: Int) throws(RaceScriptError) {
        let origin = record["origin"]
        if let event = origin?["event"]?.stringValue, let scene = origin?["scene"]?.stringValue {
            let line = Moment.Line.work(scene: scene, event: event, attempt: attempts[event] ?? 1)
            return moments.append((index, Moment(line: line, kind: .sessionCommitted, scene: nil)))
        }
        guard let connection = origin?["connection"]?.integerValue, actors.indices.contains(connection - 1),
            let number = actors[connection - 1].first(where: { number in
                guard !isPlaced.contains(number), let mark = course.marks[steps[number].name] else { return false }
                return steps[number].isCommit && mark.began < index && index <= mark.done
            })
        else {
            throw .impossible(
                "A sign-in expires or becomes stale in this order, and a script cannot decide when: on a daemon with --clock virtual, "
                    + "use 'scenectl advance'."
            )
        }
        place(number, at: index, nil)
    }

    /// The step that opened, closed or changed a window at a record.
    private func changing(_ scene: String, at index: Int) -> Int? {
        steps.indices.first { number in
            guard !isPlaced.contains(number), let mark = course.marks[steps[number].name] else { return false }
            return steps[number].changedWindow == scene && mark.began < index && index <= mark.done
        }
    }
}

extension ScenarioStep {
    var isCommit: Bool {
        switch action {
        case .signIn, .signOut, .markStale, .commit: true
        default: false
        }
    }

    /// The window that it opens, closes or changes.
    var changedWindow: String? {
        switch action {
        case .connect(let scene, _, _), .activate(let scene, _), .disconnect(let scene), .discard(let scene): scene
        default: nil
        }
    }
}
