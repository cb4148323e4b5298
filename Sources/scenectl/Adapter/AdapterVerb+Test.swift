internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneEntryPoints
internal import StrictJSON

extension AdapterVerb {
    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Test adapters with a folder of fixtures, and show every difference.",
            discussion: """
                A fixture is a JSON or YAML file:

                  event: { aps: { alert: On sale }, url: "https://shop.example/product/p1" }
                  expect: { adapter: push-url, target: "home › product(id: p1)" }

                event is JSON as 'scenectl sample' prints it. kind is needed only if the event does not show its kind. adapter \
                names the only adapter to ask. expect lists members of the output of 'adapter try --json'; members that it \
                does not list may have any value, and destinations and targets may be written in one line, as it prints them. \
                --update writes what is found in place of what differs, and leaves the rest of the file as it is; a fixture \
                without expect gets one. Without --app or --shop the daemon also asks the adapters that run in \
                other processes.

                What the app calls secret is a placeholder in a fixture, too, and one is as good as any other that always stands \
                where it does: each host makes its own.

                A fixture that cannot be tried, or an adapter that ends or does not answer meanwhile, is told, and the \
                others are tried all the same.

                Exit status: 0 everything is as expected, 1 something is not.
                """
        )

        @Argument(help: "The folder with the fixtures.", completion: .directory)
        var folder: String

        @Flag(help: "Run again whenever a fixture or the manifest changes, until interrupted.")
        var watch = false

        @Flag(help: "Write what is found into the fixtures, where it differs from what they expect.")
        var update = false

        @OptionGroup var results: CaseReportOptions

        @OptionGroup var options: TrialOptions

        func validate() throws {
            if watch, update { throw ValidationError("Give either --watch or --update.") }
            if watch, results.areGiven {
                throw ValidationError("--watch never ends; give it no --junit and no --github-annotations.")
            }
        }

        func run() async throws {
            guard watch else {
                // What is wrong with the folder is told later.
                let fixtures = (try? Files.names(in: folder, endingWith: AdapterFixture.suffixes)) ?? []
                let paths = fixtures.map { "\(folder)/\($0)" }
                return try await results.reporting("scenectl adapter test", of: folder, keeps: [options.app] + paths) {
                    add in
                    guard try await runOnce(add) else { throw ExitCode(1) }
                }
            }
            while true {
                let stamps = try stamps()
                do {
                    _ = try await runOnce { _ in }
                } catch let error as CommandError {
                    // A file may be half written; the next change is looked at again.
                    Terminal.complain(error.message, as: error.form)
                }
                Terminal.flush()
                while try stamps == self.stamps() { try await Task.sleep(for: .milliseconds(200)) }
            }
        }

        /// Whether everything was as expected.
        /// - Parameter add: Takes how each fixture came out.
        private func runOnce(_ add: (CaseReport.Case) -> Void) async throws -> Bool {
            let names = try Files.names(in: folder, endingWith: AdapterFixture.suffixes)
            guard !names.isEmpty else {
                throw CommandError.usage("\(folder): no fixtures; expected files ending in .json, .yaml or .yml.")
            }
            var bench = try await TrialBench(options: options)
            var failed = 0
            var changed = 0
            for name in names {
                let result = await result(of: name, &bench)
                if !result.isFine { failed += 1 }
                if result.isChanged { changed += 1 }
                show(name, result)
                add(CaseReport.Case(name, result.outcome, file: "\(folder)/\(name)"))
            }
            if !options.daemon.json {
                var words = failed == 0 ? "\(names.count) as expected" : "\(failed) of \(names.count) not as expected"
                if changed > 0 { words += ", \(changed) changed" }
                print(words)
            }
            return failed == 0
        }

        /// What came of a fixture.
        private struct Result {
            /// What is not as expected, or was not and has been changed.
            var differences: [String] = []
            /// Why it could not be tried, or why that does not count.
            var problems: [String] = []
            var isChanged = false

            var isFine: Bool { problems.isEmpty && (differences.isEmpty || isChanged) }

            var outcome: CaseReport.Outcome {
                let lines = problems + differences
                guard !isFine else { return .passed }
                let (message, text) = (CaseReport.message(lines), lines.joined(separator: "\n"))
                return problems.isEmpty ? .failed(message, text: text) : .unjudged(message, text: text)
            }
        }

        private func result(of name: String, _ bench: inout TrialBench) async -> Result {
            var result = Result()
            let file = "\(folder)/\(name)"
            do {
                let fixture = try AdapterFixture(file: file)
                let trial = try await bench.trial(of: fixture, name)
                result.problems = bench.problems(of: trial, name)
                result.differences = fixture.differences(from: trial).map(\.description)
                if fixture.expect == nil {
                    result.differences = ["expect: expected what the event leads to, found nothing"]
                }
                // What an adapter that failed would have said is not known.
                if update, !result.differences.isEmpty, result.problems.isEmpty {
                    try Files.write(
                        try fixture.updated(to: trial, file: file),
                        to: file,
                        isPrivate: false,
                        replacing: true
                    )
                    result.isChanged = true
                }
            } catch let error as SceneClientError {
                result.problems.append(Advice.message(for: error))
            } catch let error as CommandError {
                result.problems.append(error.message)
            } catch {
                result.problems.append("\(error)")
            }
            return result
        }

        private func show(_ name: String, _ result: Result) {
            guard !options.daemon.json else {
                var object: JSONObject = [
                    "fixture": .string(name),
                    "differences": .array((result.problems + result.differences).map(JSONValue.string)),
                ]
                if update { object["changed"] = .bool(result.isChanged) }
                return print(json: .object(object), .compact)
            }
            let mark =
                result.isChanged
                ? Terminal.styled("↻", .yellow)
                : result.isFine ? Terminal.styled("✓", .green) : Terminal.styled("✗", .red)
            print("\(mark) \(name)")
            let lines = (result.problems + result.differences).flatMap { $0.split(separator: "\n") }
            for line in lines { print("    \(line)") }
        }

        private func stamps() throws -> [String] {
            let files = try Files.names(in: folder, endingWith: AdapterFixture.suffixes).map { "\(folder)/\($0)" }
            return (files + [options.app].compactMap { $0 }).map { "\($0) \(Files.stamp($0) ?? "")" }
        }
    }
}
