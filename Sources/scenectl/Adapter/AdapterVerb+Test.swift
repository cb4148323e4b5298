internal import ArgumentParser
internal import SceneClient
internal import SceneEntryPoints
internal import StrictJSON

extension AdapterVerb {
    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Runs a folder of fixtures, event and expectation, and shows every difference.",
            discussion: """
                A fixture is a JSON or YAML file:

                  event: { aps: { alert: On sale }, url: "https://shop.example/product/p1" }
                  expect: { adapter: push-url, request: { url: "https://shop.example/product/p1" } }

                event is what the verbs take on standard input ('scenectl sample' prints some), kind says what it is where its \
                members do not, adapter asks only that one, and expect names what 'adapter try --json' has to print; what it \
                does not name may be as it likes. Of adapters in other processes the daemon asks those that run.

                Exit status: 0 everything is as expected, 1 something is not.
                """
        )

        @Argument(help: "The folder.")
        var folder: String

        @Flag(help: "Run again whenever a fixture or the manifest changes, until interrupted.")
        var watch = false

        @OptionGroup var options: TrialOptions

        func run() async throws {
            guard watch else {
                guard try await runOnce() else { throw ExitCode(1) }
                return
            }
            while true {
                let stamps = try stamps()
                do {
                    _ = try await runOnce()
                } catch let error as CommandError {
                    // A file half written is no reason to stop watching.
                    Terminal.complain(error.message)
                }
                Terminal.flush()
                while try stamps == self.stamps() { try await Task.sleep(for: .milliseconds(200)) }
            }
        }

        /// Whether everything was as expected.
        private func runOnce() async throws -> Bool {
            let names = try Files.names(in: folder, endingWith: AdapterFixture.suffixes)
            guard !names.isEmpty else {
                throw CommandError.usage("\(folder): no fixture; files ending in .json, .yaml or .yml would be right.")
            }
            let trials = try await options.trials()
            var failed = 0
            for name in names {
                let differences = try await differences(in: name, trials)
                if !differences.isEmpty { failed += 1 }
                show(name, differences)
            }
            if !options.daemon.json {
                print(failed == 0 ? "\(names.count) as expected" : "\(failed) of \(names.count) not as expected")
            }
            return failed == 0
        }

        private func differences(in name: String, _ trials: AdapterTrials) async throws -> [String] {
            do {
                let fixture = try AdapterFixture(file: "\(folder)/\(name)")
                let trial = try await trials.trial(of: fixture.event, adapter: fixture.adapter)
                return JSONDifference.between(.object(fixture.expect), .object(trial))
            } catch let error as CommandError {
                return [error.message]
            } catch let error as SceneClientError where Advice.status(for: error) == 1 {
                return [Advice.message(for: error)]
            }
        }

        private func show(_ name: String, _ differences: [String]) {
            guard !options.daemon.json else {
                let differences = JSONValue.array(differences.map(JSONValue.string))
                return print(JSONValue.object(["fixture": .string(name), "differences": differences]).text())
            }
            let isFine = differences.isEmpty
            print("\(isFine ? Terminal.styled("✓", .green) : Terminal.styled("✗", .red)) \(name)")
            for difference in differences { print("    \(difference)") }
        }

        private func stamps() throws -> [String] {
            let files = try Files.names(in: folder, endingWith: AdapterFixture.suffixes).map { "\(folder)/\($0)" }
            return (files + [options.app].compactMap { $0 }).map { "\($0) \(Files.stamp($0) ?? "")" }
        }
    }
}
