internal import CommandConsole
internal import SceneRouting
internal import StrictJSON

/// A script as a file of tests for Swift Testing, with `SceneClientTesting`.
///
/// It is written as ``PytestScript`` is: the library's methods where there are any, else calls of its client, and what is expected of
/// events at the end.
struct SwiftScript {
    /// The file.
    let text: String

    /// - Parameters:
    ///   - steps: The steps.
    ///   - secrets: The values of their placeholders. One that is missing is asked of the environment when the test runs.
    ///   - name: The script's name, for the test's and for messages.
    ///   - app: The manifest's file or example that the suite names; `nil` for the daemon's own.
    ///   - keepsTime: Whether the script's intervals are kept; otherwise each step begins when everything before it is done.
    /// - Throws: What cannot be written, and in which step.
    init(
        _ steps: [ScriptStep],
        secrets: ScriptSecrets,
        in name: String,
        app: String? = nil,
        keepsTime: Bool = true
    ) throws(CommandError) {
        try ScriptWindows.check(steps, in: name, beginning: "a test")
        var writer = SwiftWriter(steps, secrets)
        let timings = TestTiming.of(steps, keepsTime: keepsTime)
        var index = 0
        while index < steps.count {
            let next = index + 1 < steps.count && timings[index + 1].advance == 0 ? steps[index + 1] : nil
            index += try writer.add(
                steps[index],
                followedBy: next,
                timings[index],
                number: index + 1,
                at: "\(name), step \(index + 1)"
            )
        }
        try writer.addEnds(in: name)
        text = Self.file(writer, steps, name, app)
    }

    private static func file(_ writer: SwiftWriter, _ steps: [ScriptStep], _ name: String, _ app: String?) -> String {
        var marks: [String] = []
        if let app { marks.append("app: \(SourceText.literal(app, .swift))") }
        marks.append("clock: .virtual")
        if let start = steps.first?.start { marks.append("start: \(SourceText.literal(start, .swift))") }
        if let seed = steps.first?.seed { marks.append("seed: \(seed)") }
        var names = SourceNames(.camel, reserved: SwiftWriter.reserved)
        var words = SourceNames.words(ofFile: name)
        if words.last == "tests" || words.last == "test" { words.removeLast() }
        let test = names.name(words.joined(separator: "_"), otherwise: "script")
        let type = test.prefix(1).uppercased() + test.dropFirst() + "Tests"
        var lines = writer.lines
        if let manifest = steps.first?.manifest {
            lines.insert(SwiftWriter.comment("Recorded with the manifest \(manifest)."), at: 0)
        }
        let body = lines.map { $0.isEmpty ? "" : "        \($0)" }.joined(separator: "\n")
        let needsFoundation = !writer.secrets.missing.isEmpty
        return """
            // \(SourceText.line("The script \(SourceNames.file(name)), as 'scenectl play --export swift' has written it."))
            \(needsFoundation ? "import Foundation\n" : "")import SceneClientTesting
            import Testing

            @Suite(.daemon(\(marks.joined(separator: ", "))))
            struct \(type) {
                let app = TestApp.current

                @Test(\(SourceText.literal("the script \(SourceNames.file(name))", .swift)))
                func \(test)() async throws {
            \(body)
                }
            }
            \(writer.checksRefusals ? Self.refusal : "")\(writer.quotes ? Self.quote : "")
            """
    }

    private static let refusal = """

        /// The daemon's error by its name without the interface, and its parameters.
        private func refusal(_ error: SceneClientError?) -> JSONObject {
            guard case .refused(let name, let parameters)? = error else { return [:] }
            return ["error": .string(String(name.split(separator: ".").last ?? "")), "parameters": .object(parameters)]
        }

        """

    private static let quote = """

        /// A text as a part of a URL.
        private func quote(_ text: String) -> String {
            let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
            return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
        }

        """
}
