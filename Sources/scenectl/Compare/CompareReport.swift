internal import CommandConsole
internal import Basics
internal import SceneSoak
internal import StrictJSON

/// What a comparison of two apps has found.
struct CompareReport: Sendable {
    /// The first difference.
    struct Difference: Sendable {
        /// After how many steps it was found.
        var step: Int
        /// The fewest steps that show it, and what they show.
        var played: AppComparison.Played
        /// How often steps were played to find the fewest.
        var tries: Int
        /// Whether it came again when the same steps were played again.
        var comesAgain: Bool
        /// Whether the search for the fewest was not ended early.
        var isFewest: Bool
    }

    /// The seed of the walks; `nil` if a script was played.
    var seed: Int?
    /// The number of the last walk.
    var walk = 0
    var walks = 0
    var steps = 0
    var wasEnded = false
    var coverage = SoakCoverage()
    var difference: Difference?

    // MARK: - For a person

    /// Prints it.
    /// - Parameters:
    ///   - a: The apps as named on the command line.
    ///   - saved: The file to which the difference was written.
    func show(a: String, b: String, saved: String?) {
        let taken = Wording.counted(steps, "step")
        let walked = seed.map { ", \(Wording.counted(walks, "walk")), seed \($0)" } ?? ""
        let early = wasEnded ? ", ended early" : ""
        guard let difference else {
            print("\(Terminal.styled("no difference", .green)) in \(taken)\(walked)\(early)")
            showCoverage()
            return
        }
        print("\(Terminal.styled("they differ", .red)) after \(taken)\(walked)\(early)")
        let count = difference.played.steps.count
        if !difference.comesAgain {
            print("It did not come again when the same steps were played again; these are all of its walk:")
        } else if count == 0 {
            print("They differ before any event.")
        } else {
            let are = count == 1 ? "is" : "are"
            let doubt = difference.isFewest ? "" : ", perhaps fewer"
            print(
                "\(Wording.counted(count, "step")) of the last \(Wording.count(difference.step)) \(are) enough\(doubt), found in \(Wording.count(difference.tries)) tries:"
            )
        }
        print("")
        for (index, command) in commands(of: difference).enumerated() { print("  \(index + 1)  \(command)") }
        print("")
        print("Then A is \(a), B is \(b), and they have:")
        for part in difference.played.differences {
            print("  \(Terminal.styled(part.place, .bold))")
            print("    A  \(ComparedPart.text(part.a))")
            print("    B  \(ComparedPart.text(part.b))")
        }
        print("")
        if let seed {
            print("Again: scenectl app compare \(a.shellWord) \(b.shellWord) --seed \(seed) --walk \(walk)")
        }
        if let saved { print("\(saved): scenectl play --reset \(saved.shellWord)") }
        showCoverage()
    }

    private func showCoverage() {
        for line in SoakReport.lines(of: coverage) {
            print(line.tone == .heading ? "\n\(Terminal.styled("\(line.text) in A", .bold))" : line.text, as: .page)
        }
    }

    /// The steps as a person would type them.
    private func commands(of difference: Difference) -> [String] {
        let calls = difference.played.calls
        return calls.map { call in
            // It matters only where it is sent again.
            let event = call.parameters["event"]
            let isAgain = event != nil && calls.count { $0.parameters["event"] == event } > 1
            return "\(CallWords(call, namesEvent: isAgain))"
        }
    }

    // MARK: - For a program

    var json: JSONObject {
        var object: JSONObject = ["same": .bool(difference == nil)]
        object["seed"] = seed.map(JSONValue.integer)
        object["walks"] = .integer(walks)
        object["steps"] = .integer(steps)
        object["endedEarly"] = .bool(wasEnded)
        if let difference {
            let steps = zip(difference.played.calls, commands(of: difference)).map { call, command in
                JSONValue.object([
                    "call": .string(String(call.method.dropFirst("io.scened.".count))),
                    "parameters": .object(call.parameters), "command": .string(command),
                ])
            }
            var found: JSONObject = [
                "step": .integer(difference.step), "tries": .integer(difference.tries),
                "comesAgain": .bool(difference.comesAgain), "fewest": .bool(difference.isFewest),
                "steps": .array(steps),
                "parts": .array(
                    difference.played.differences.map { part in
                        .object(["place": .string(part.place), "a": part.a ?? .null, "b": part.b ?? .null])
                    }
                ),
            ]
            if seed != nil { found["walk"] = .integer(walk) }
            object["difference"] = .object(found)
        }
        object["reached"] = .object(
            JSONObject(
                SoakCoverage.Part.allCases.map { part in
                    let (reached, all) = coverage.share(of: part)
                    let missed = coverage.missed(part).map { JSONValue.string($0.name) }
                    return (
                        part.rawValue,
                        .object(["reached": .integer(reached), "all": .integer(all), "never": .array(missed)])
                    )
                }
            )
        )
        return object
    }
}
