internal import Basics
internal import CommandConsole
internal import SceneSoak
internal import StrictJSON

/// A script as a shell script for a simulator: what `xcrun simctl` can do of it, and between its commands what a person has to do.
struct SimctlScript {
    /// The shell script, for a POSIX shell.
    let text: String
    /// How many steps are commands.
    private(set) var commands = 0
    /// How many steps are left to a person.
    private(set) var byHand = 0

    /// - Parameters:
    ///   - steps: The steps, without placeholders where a value is needed.
    ///   - name: The script's name, for its heading and for messages.
    ///   - bundle: The app's bundle identifier; `nil` if it is given when the script is run.
    ///   - speed: What intervals are divided by; `nil` for none.
    /// - Throws: What is wrong with a step, and where.
    init(
        _ steps: [ScriptStep],
        secrets: ScriptSecrets,
        in name: String,
        bundle: String?,
        speed: Double?
    ) throws(CommandError) {
        var device = SimulatedDevice()
        var lines: [String] = []
        var last: Int?
        for (index, step) in steps.enumerated() {
            if let speed, let last { lines += Self.interval(Double(step.at - last) / 1_000 / speed) }
            last = step.at
            let action = try device.action(
                for: step,
                secrets.filled(step.parameters),
                at: "\(name), step \(index + 1)"
            )
            lines += ["", Self.comment("Step \(index + 1) of \(steps.count): \(step.call)")]
            if step.isQuiet { lines.append("# It begins when everything before it is done, which simctl cannot tell.") }
            switch action {
            case .run(let run, let remarks):
                commands += 1
                lines += remarks.map(Self.comment) + run
            case .byHand(let what):
                byHand += 1
                // A placeholder stays one: nobody types it into a command.
                lines += [Self.comment(JSONValue.object(step.parameters).text()), "by_hand \(what.shellWord)"]
            case .nothing(let why):
                lines.append("# \(why)")
            }
            if let expect = step.expect { lines.append(Self.comment("Expected: \(JSONValue.object(expect).text())")) }
        }
        text =
            Self.heading(name, bundle, steps.count, commands, byHand) + lines.joined(separator: "\n")
            + "\n\nexit \"$status\"\n"
    }

    /// Whether a text is a bundle identifier, as Apple's `CFBundleIdentifier` has them.
    static func isBundle(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                }
            }
    }

    /// The longest interval that the script sleeps, in seconds. A daemon's clock jumps over days; a simulator's stands by nobody.
    private static let longestSleep = 60.0

    /// A comment of one line: what a name or a call contains must not become a command.
    private static func comment(_ text: String) -> String { "# \(SourceText.line(text))" }

    private static func interval(_ seconds: Double) -> [String] {
        guard seconds > 0 else { return [] }
        guard seconds <= longestSleep else {
            return ["", "by_hand 'let \(Wording.short(seconds)) s pass, or what depends on them'"]
        }
        let milliseconds = Int((seconds * 1_000).rounded())
        return ["sleep \(milliseconds / 1_000).\(String(1_000 + milliseconds % 1_000).dropFirst())"]
    }

    private static func heading(_ name: String, _ bundle: String?, _ steps: Int, _ commands: Int, _ byHand: Int)
        -> String
    {
        let title = comment(
            "\(name), for a simulator: \(Wording.counted(steps, "step")), of which simctl does \(commands); by hand: \(byHand)."
        )
        let given =
            bundle.map { "${BUNDLE:-\($0)}" }
            ?? "${BUNDLE:?set it to the bundle identifier of the app, such as com.example.shop}"
        return """
            #!/bin/sh
            \(title)
            #   BUNDLE=com.example.shop sh THIS [DEVICE]
            # The device is a booted simulator with the app installed and not running. On a terminal the script waits at each step that is by
            # hand. simctl cannot say what the app shows: compare it with what is expected. It chooses no window, opens web links in Safari
            # unless the app is associated with their domain, and keeps the app's data from run to run.
            # Exit status: 0, or 1 if a command of simctl failed.
            set -u
            device=${1:-booted}
            bundle=\(given)
            status=0
            simctl() { xcrun simctl "$@" || { status=1; printf 'failed: simctl %s\\n' "$1" >&2; }; }
            by_hand() {
                printf 'by hand: %s\\n' "$1" >&2
                if [ -t 0 ]; then printf '  then press Return ' >&2; read -r _ || true; fi
            }

            """
    }
}
