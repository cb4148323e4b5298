internal import ArgumentParser
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
                  expect: { adapter: push-url, request: { url: "https://shop.example/product/p1" } }

                event is JSON as 'scenectl sample' prints it. kind is needed only if the event does not show its kind. adapter \
                names the only adapter to ask. expect lists members of the output of 'adapter try --json'; members that it \
                does not list may have any value. Without --app or --shop the daemon also asks the adapters that run in \
                other processes.

                Exit status: 0 everything is as expected, 1 something is not.
                """
        )

        @Argument(help: "The folder with the fixtures.")
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
                    // A file may be half written; the next change is looked at again.
                    Terminal.complain(error.message, as: error.form)
                }
                Terminal.flush()
                while try stamps == self.stamps() { try await Task.sleep(for: .milliseconds(200)) }
            }
        }

        /// Whether everything was as expected.
        private func runOnce() async throws -> Bool {
            let names = try Files.names(in: folder, endingWith: AdapterFixture.suffixes)
            guard !names.isEmpty else {
                throw CommandError.usage("\(folder): no fixtures; expected files ending in .json, .yaml or .yml.")
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
                return JSONDifference.between(.object(fixture.expect), .object(trial)).map(\.description)
            } catch let error as CommandError {
                return [error.message]
            } catch let error as SceneClientError where Advice.status(for: error) == .refused {
                return [Advice.message(for: error)]
            }
        }

        private func show(_ name: String, _ differences: [String]) {
            guard !options.daemon.json else {
                let differences = JSONValue.array(differences.map(JSONValue.string))
                return print(json: ["fixture": .string(name), "differences": differences], .compact)
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
