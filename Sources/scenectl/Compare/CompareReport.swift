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
        /// Whether none of the steps can be left out: the search was not ended early. Other steps may be fewer.
        var isMinimal: Bool
    }

    /// The seed of the walks; `nil` if a script was played.
    var seed: Int?
    /// The number of the last walk.
    var walk = 0
    var walks = 0
    var steps = 0
    var wasEnded = false
    /// The app whose daemon was starting when the comparison was ended.
    var starting: ComparedSide?
    /// What was reached of A; `nil` if nothing was played.
    var coverage: SoakCoverage?
    /// What only one of the two declares; `nil` if a manifest is not known.
    var declared: DeclaredByOne?
    var difference: Difference?
    /// What came of the script that was saved, or of saving it.
    var saved: Saved?

    /// A script of the difference.
    struct Saved: Sendable {
        let file: String
        /// Why it could not be written.
        var failure: String?
        /// What came otherwise on A and on B than it expects.
        var onA: [String] = []
        var onB: [String] = []

        /// What is wrong with it; `nil` if it tells the two apart.
        var doubt: String? {
            if let first = onA.first { return "\(file) does not pass on A: \(first)" }
            return onB.isEmpty ? "\(file) passes on B, too; what differs is nothing that a script can expect." : nil
        }
    }

    // MARK: - For a person

    /// Prints it.
    /// - Parameter a: The apps as named on the command line.
    func show(a: String, b: String) {
        let taken = Wording.counted(steps, "step")
        let walked = seed.map { ", \(Wording.counted(walks, "walk")), seed \($0)" } ?? ""
        let early = wasEnded ? ", ended early" : ""
        guard let difference else {
            if let starting {
                let app = starting == .a ? a : b
                let seed = seed.map { ", seed \($0)" } ?? ""
                print(
                    "\(Terminal.styled("interrupted", .yellow)) while \(starting.rawValue) was starting, \(app); nothing was compared\(seed)"
                )
                return
            }
            if wasEnded {
                print("\(Terminal.styled("interrupted", .yellow)) after \(taken)\(walked); no difference so far")
                return showCoverage()
            }
            print("\(Terminal.styled("no difference", .green)) in \(taken)\(walked)")
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
            let none = difference.isMinimal ? "none of them can be left out" : "perhaps fewer"
            let tries = "\(Wording.count(difference.tries)) \(difference.tries == 1 ? "try" : "tries")"
            print(
                "\(Wording.counted(count, "step")) of the last \(Wording.count(difference.step)) \(are) enough, \(none), found in \(tries):"
            )
        }
        if count > 0 { print("") }
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
        if let saved, saved.failure == nil { print("\(saved.file): scenectl play --reset \(saved.file.shellWord)") }
        showCoverage()
    }

    private func showCoverage() {
        guard let coverage else { return }
        for line in SoakReport.lines(of: coverage) {
            print(line.tone == .heading ? "\n\(Terminal.styled("\(line.text) in A", .bold))" : line.text, as: .page)
        }
        showDeclared()
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

    /// `declared by B only: facts bonus; doors widget`
    private func showDeclared() {
        for (side, parts) in declared?.sides ?? [] where !parts.isEmpty {
            let text = parts.map { "\($0.part.rawValue) \($0.names.joined(separator: ", "))" }.joined(separator: "; ")
            print("declared by \(side.rawValue) only: \(text)")
        }
    }

    // MARK: - For a program

    var json: JSONObject {
        var object: JSONObject = [:]
        // Nobody knows of a comparison that was interrupted.
        if difference != nil || !wasEnded { object["same"] = .bool(difference == nil) }
        object["seed"] = seed.map { .string(String($0)) }
        object["walks"] = .integer(walks)
        object["steps"] = .integer(steps)
        object["endedEarly"] = .bool(wasEnded)
        object["starting"] = starting.map { .string($0.rawValue) }
        if let difference {
            let steps = zip(difference.played.calls, commands(of: difference)).map { call, command in
                JSONValue.object([
                    "call": .string(String(call.method.dropFirst("io.scened.".count))),
                    "parameters": .object(call.parameters), "command": .string(command),
                ])
            }
            var found: JSONObject = [
                "step": .integer(difference.step), "tries": .integer(difference.tries),
                "comesAgain": .bool(difference.comesAgain), "minimal": .bool(difference.isMinimal),
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
        if let saved, saved.failure == nil {
            object["saved"] = [
                "file": .string(saved.file), "onA": .array(saved.onA.map(JSONValue.string)),
                "onB": .array(saved.onB.map(JSONValue.string)),
            ]
        }
        for (side, parts) in declared?.sides ?? [] {
            object["only\(side.rawValue)"] = .object(
                JSONObject(parts.map { ($0.part.rawValue, .array($0.names.map(JSONValue.string))) })
            )
        }
        guard let coverage else { return object }
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
