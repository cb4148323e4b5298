internal import Basics
internal import SceneClient
internal import StrictJSON

/// What holds have caught, as steps that wait for it: so a script comes to the same order on any machine.
struct RecordedHolds {
    private struct Catch {
        let hold: String
        /// The number of the record that tells it.
        let index: Int
        /// When, in nanoseconds on the daemon's clock.
        let time: Int
        /// What a call of `Await` is answered.
        let reply: JSONObject
    }

    private var catches: [Catch] = []
    /// Whether something is held at the end.
    let isHeld: Bool
    /// How many have become steps.
    private var told = 0
    /// The holds that the script makes: of others the call that made them is no longer retained.
    private var made: Set<String> = []

    /// How long a step waits, in milliseconds of real time.
    private static let patience = 10_000

    init(_ records: [ClientRecord]) {
        var open: Set<String> = []
        for record in records {
            guard let hold = record.hold else { continue }
            let receiver = "\(hold) \(record.scene ?? "")"
            if record.kind == .holdCaught {
                open.insert(receiver)
                // A window or a ticket that there must not be is null.
                let reply: JSONObject = [
                    "scene": record.scene.map(JSONValue.string) ?? .null,
                    "ticket": record.ticket.map(JSONValue.integer) ?? .null,
                    "point": .string(record.point.map { "\($0)" } ?? ""),
                ]
                catches.append(Catch(hold: hold, index: record.index, time: record.time.nanoseconds, reply: reply))
            } else if record.kind == .holdReleased {
                open.remove(receiver)
            }
        }
        isHeld = !open.isEmpty
    }

    /// Whether a step is for the script: what a hold is released by is not, unless the script makes that hold.
    mutating func takes(_ step: ScriptStep) -> Bool {
        guard let hold = step.parameters["hold"]?.stringValue else { return true }
        switch step.call {
        case "Control.Hold":
            made.insert(hold)
            return true
        case "Control.Release": return made.remove(hold) != nil
        default: return true
        }
    }

    /// Steps that wait for what was caught since the last ones.
    /// - Parameters:
    ///   - place: How many records there were when the next step came.
    ///   - last: The time of the step before, in milliseconds.
    ///   - next: The time of the next step.
    ///   - start: The time that is 0 in the script, in nanoseconds.
    mutating func caught(by place: Int = .max, at last: Int, before next: Int, since start: Int) -> [ScriptStep] {
        var steps: [ScriptStep] = []
        while told < catches.count, catches[told].index <= place {
            let one = catches[told]
            told += 1
            guard made.contains(one.hold) else { continue }
            // Rounded up: before, it is not there yet.
            let time = (one.time - start + 999_999) / 1_000_000
            steps.append(
                ScriptStep(
                    at: max(steps.last?.at ?? last, min(time, next)),
                    call: "Control.Await",
                    parameters: ["hold": .string(one.hold), "timeoutMilliseconds": .integer(Self.patience)],
                    expect: one.reply
                )
            )
        }
        return steps
    }
}
