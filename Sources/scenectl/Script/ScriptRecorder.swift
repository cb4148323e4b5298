internal import Basics
internal import SceneClient
internal import StrictJSON

/// Makes a script of the calls that a daemon has retained: those that changed something, in the order they took effect, each
/// event with its outcome.
struct ScriptRecorder {
    private let inputs: [JSONObject]
    private let records: [ClientRecord]
    /// How many calls are no longer retained.
    let missing: Int
    /// The date at which the daemon's virtual clock began; `nil` if its clock is the real one. Steps then have the clock's times.
    private let start: String?
    /// The seed of what is random in the daemon; `nil` from older ones.
    private let seed: Int?
    /// The digest of the manifest in force, after those of the manifests before it; `nil` from older daemons.
    private let manifest: String?

    /// Reads everything that the daemon has.
    static func read(_ client: SceneClient) async throws -> ScriptRecorder {
        var inputs: [JSONObject] = []
        var missing = 0
        var position = 0
        while true {
            let page = try await client.call("io.scened.Recording.Read", ["after": .integer(position)])
            inputs += (page["inputs"]?.arrayValue ?? []).compactMap(\.objectValue)
            missing += page["missing"]?.integerValue ?? 0
            guard let next = page["next"]?.integerValue, next > position else { break }
            position = next
        }
        var records: [ClientRecord] = []
        position = 0
        while true {
            let (page, next) = try await client.records(after: position, limit: 10_000)
            records += page
            guard next > position else { break }
            position = next
        }
        return ScriptRecorder(
            inputs: inputs,
            records: records,
            missing: missing,
            start: try await DaemonClock(client)?.start,
            seed: try await client.seed(),
            manifest: try await Self.manifests(records, client)
        )
    }

    /// The digests of the manifests that were in force while the records were made, one after the other.
    private static func manifests(
        _ records: [ClientRecord],
        _ client: SceneClient
    ) async throws -> String? {
        guard let inForce = try await client.call("io.scened.Manager.GetStatus")["manifest"]?.stringValue else {
            return nil
        }
        var all: [String] = []
        for digest in records.compactMap(\.manifest) + [inForce] where all.last != digest { all.append(digest) }
        return all.joined(separator: ", ")
    }

    /// When a record was made: its number, and its time in nanoseconds.
    private struct Moment {
        let index: Int
        let time: Int

        init(_ record: ClientRecord) { (index, time) = (record.index, record.time.nanoseconds) }
    }

    /// What the records say of an event.
    private struct Story {
        /// `nil` if the app itself got it.
        let scene: String?
        let ticket: Int
        let admitted: Moment
        /// Its place in its set as given, from 1; `nil` if it came alone.
        let given: Int?
        /// When its first attempt ended, in nanoseconds; `nil` while it has not.
        var firstEnd: Int?
        var outcome = ClientWord.known(OutcomeName.admitted)
        var reason: String?
        var answer: JSONObject?

        /// Whether its first attempt was under way at a time.
        func goesOn(at time: Int) -> Bool { admitted.time < time && (firstEnd ?? .max) > time }

        /// What the receipt says of the event in the end. What is rejected or abandoned is answered nothing.
        var receipt: JSONObject {
            var receipt: JSONObject = ["outcome": .string("\(outcome)")]
            receipt["scene"] = scene.map(JSONValue.string)
            receipt["reason"] = reason.map(JSONValue.string)
            if outcome.known != .rejected, outcome.known != .abandoned {
                receipt["answer"] = answer.map(JSONValue.object)
            }
            return receipt
        }
    }

    /// The steps, without the final ones that check the windows.
    func steps() -> [ScriptStep] {
        let stories = stories()
        let start = origin
        var steps: [(step: ScriptStep, story: Story?)] = []
        var holds = RecordedHolds(records)
        // The number of the last record of an event's admission that a call before has caused.
        var begun = 0
        for input in inputs where input["error"] == nil {
            guard let method = input["method"]?.stringValue, let time = input["monotonic"]?.integerValue else {
                continue
            }
            let place = input["records"]?.integerValue
            var step = ScriptStep(
                at: max(0, (time - start) / 1_000_000),
                call: String(method.dropFirst("io.scened.".count)),
                parameters: input["parameters"]?.objectValue ?? [:]
            )
            step.parameters["wait"] = nil
            if let place {
                steps += holds.caught(by: place, at: steps.last?.step.at ?? 0, before: step.at, since: start)
                    .map { ($0, nil) }
                // What another connection sent just before may have been on its way.
                let hasBegun = begun <= place
                step.isQuiet = input["quiet"] == true && hasBegun
                step.isSettled = input["settled"] == true && hasBegun
            } else {
                // An older daemon does not say it.
                step.isQuiet = !stories.values.joined().contains { $0.goesOn(at: time) }
                step.isSettled = step.isQuiet
            }
            let caused = stories[CallKey(input)]
            begun = caused?.map(\.admitted.index).max().map { max(begun, $0) } ?? begun
            guard holds.takes(step) else { continue }
            guard step.isEvent else {
                steps.append((step, nil))
                continue
            }
            // A duplicate has no such record; it changed nothing.
            guard let delivered = caused, let first = delivered.first else { continue }
            if first.given == nil {
                step.expect = ["receipt": .object(first.receipt)]
            } else {
                // The order is left to chance, so it is told.
                step.parameters["order"] = .array(delivered.map { .integer($0.given ?? 0) })
                let asGiven = delivered.sorted { $0.given ?? 0 < $1.given ?? 0 }
                step.expect = ["receipts": .array(asGiven.map { .object($0.receipt) })]
            }
            steps.append((step, first))
        }
        steps += holds.caught(at: steps.last?.step.at ?? 0, before: end, since: start).map { ($0, nil) }
        var all = Self.inTicketOrder(steps).map(\.step)
        if !all.isEmpty { (all[0].start, all[0].seed, all[0].manifest) = (self.start, seed, manifest) }
        return all
    }

    /// How often another manifest has come into force: no step says that.
    var reloads: Int { records.count { $0.kind == .manifestLoaded } }

    /// Whether something is held at the end.
    var isHeld: Bool { RecordedHolds(records).isHeld }

    /// The time that is 0 in the script, in nanoseconds on the daemon's clock.
    private var origin: Int { start == nil ? inputs.first?["monotonic"]?.integerValue ?? 0 : 0 }

    /// When the last record was made, in milliseconds as steps have it, rounded up.
    var end: Int {
        let start = origin
        let end = records.last.map { $0.time.nanoseconds } ?? start
        return max(0, (end - start + 999_999) / 1_000_000)
    }

    /// Sorts the events of each scene by ticket: calls from several connections are noted a moment before they take effect.
    private static func inTicketOrder(
        _ steps: [(step: ScriptStep, story: Story?)]
    ) -> [(step: ScriptStep, story: Story?)] {
        var ordered = steps
        for scene in Set(steps.compactMap { $0.story?.scene }) {
            let places = steps.indices.filter { steps[$0].story?.scene == scene }
            let sorted = places.map { steps[$0] }.sorted { ($0.story?.ticket ?? 0) < ($1.story?.ticket ?? 0) }
            for (place, entry) in zip(places, sorted) {
                ordered[place] = entry
                ordered[place].step.at = steps[place].step.at
                ordered[place].step.isQuiet = steps[place].step.isQuiet
                ordered[place].step.isSettled = steps[place].step.isSettled
            }
        }
        return ordered
    }

    private struct CallKey: Hashable {
        let connection: Int?
        let call: Int?

        init(_ input: JSONObject) {
            connection = input["connection"]?.integerValue
            call = input["call"]?.integerValue
        }

        init(_ record: ClientRecord) {
            connection = record.connection
            call = record.call
        }
    }

    /// What each call has caused: one event, or those of a set in the order of their tickets.
    private func stories() -> [CallKey: [Story]] {
        var stories: [CallKey: [Story]] = [:]
        var places: [String: (key: CallKey, index: Int)] = [:]
        for record in records {
            guard let ticket = record.ticket else { continue }
            let scene = record.scene
            let place = "\(scene ?? "") \(ticket)"
            if record.kind == .eventAdmitted {
                let key = CallKey(record)
                places[place] = (key, stories[key]?.count ?? 0)
                stories[key, default: []].append(
                    Story(scene: scene, ticket: ticket, admitted: Moment(record), given: record.setPlace?.given)
                )
            }
            guard let (key, index) = places[place], var story = stories[key]?[index] else { continue }
            switch record.kind.known {
            case .dispatchEnded:
                if story.firstEnd == nil { story.firstEnd = record.time.nanoseconds }
                if let outcome = record.outcome { story.outcome = outcome }
                story.reason = record.reason
            case .intentBubbled: if let answer = record.answer { story.answer = answer }
            case .gateSuperseded:
                story.outcome = .known(.superseded)
                story.reason = nil
            case .gateAbandoned:
                story.outcome = .known(.abandoned)
                story.reason = record.reason
            default: continue
            }
            stories[key]?[index] = story
        }
        return stories
    }
}
