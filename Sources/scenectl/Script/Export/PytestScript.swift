internal import CommandConsole
internal import SceneRouting
internal import StrictJSON

/// A script as a module of tests for pytest, with the package in `protocol/python`.
///
/// Its calls are those of a test that somebody writes: `window.open(…)`, `app.sign_in(…)`, `clock.advance(…)`. What the package has no
/// method for is a call of its client. Events are sent as `play` sends them, without waiting, unless the next step begins only when
/// everything is done; what is expected of them stands at the end.
struct PytestScript {
    /// The module.
    let text: String

    /// - Parameters:
    ///   - steps: The steps.
    ///   - secrets: The values of their placeholders. One that is missing is asked of the environment when the test runs.
    ///   - name: The script's name, for the test's and for messages.
    ///   - app: The manifest's file or example that the test names; `nil` for the one that pytest is given.
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
        var writer = PytestWriter(steps, secrets)
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
        text = Self.module(writer, steps, name, app)
    }

    private static func module(_ writer: PytestWriter, _ steps: [ScriptStep], _ name: String, _ app: String?) -> String
    {
        var marks = ["clock=\"virtual\""]
        if let app { marks.insert("app=\(SourceText.literal(app, .python))", at: 0) }
        if let start = steps.first?.start { marks.append("start=\(SourceText.literal(start, .python))") }
        if let seed = steps.first?.seed { marks.append("seed=\(seed)") }
        let words = SourceNames.words(ofFile: name)
        let test = (["test"] + (words.first == "test" ? words.dropFirst() : words[...])).joined(separator: "_")
        var imports = ""
        if !writer.secrets.missing.isEmpty { imports += "import os\n" }
        if writer.quotes { imports += "from urllib.parse import quote\n" }
        if !imports.isEmpty { imports += "\n" }
        var names = ["App"] + writer.imports
        if writer.usesClock { names.append("Clock") }
        let fixtures = writer.usesClock ? "app: App, clock: Clock" : "app: App"
        var lines = writer.lines
        if let manifest = steps.first?.manifest {
            lines.insert(PytestWriter.comment("Recorded with the manifest \(manifest)."), at: 0)
        }
        lines += lines.allSatisfy { $0.hasPrefix("#") } ? ["pass"] : []
        let body = lines.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
        let ordered = Set(names).sorted { ($0.lowercased() == $0 ? 1 : 0, $0) < ($1.lowercased() == $1 ? 1 : 0, $1) }
        return """
            \(SourceText.literal("The script \(SourceNames.file(name)), as 'scenectl play --export pytest' has written it.", .python))

            \(imports)import pytest

            from scened import \(ordered.joined(separator: ", "))


            @pytest.mark.scened(\(marks.joined(separator: ", ")))
            def \(test == "test" ? "test_script" : test)(\(fixtures)) -> None:
            \(body)

            """
    }
}
