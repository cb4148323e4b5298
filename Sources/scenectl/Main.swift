internal import ArgumentParser
internal import Glibc
internal import SceneClient

@main
enum Main {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        // The parser answers a request for help with a verb that does not exist by the help of all.
        if words.first == "help", let message = UsageMistake.message(for: words) { leave(message) }
        do {
            var command = try await Scenectl.asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as SceneClientError {
            Failure(error).leave()
        } catch let error as CommandError {
            Failure(error).leave()
        } catch {
            leave(error, words)
        }
        Terminal.exit(0)
    }

    /// Ends with what the parser says: help goes to standard output with status 0, wrong usage to standard error with 2.
    private static func leave(_ error: any Error, _ words: [String]) -> Never {
        let text = Scenectl.fullMessage(for: error)
        switch Scenectl.exitCode(for: error) {
        case .success:
            if !text.isEmpty { print(text, as: .page) }
            Terminal.exit(0)
        case .validationFailure: leave(UsageMistake.message(for: words) ?? text)
        case let code:
            if !text.isEmpty { Terminal.write(Terminal.harmless(text, as: .page) + "\n") }
            Terminal.exit(code.rawValue)
        }
    }

    private static func leave(_ usage: String) -> Never {
        if Failure.isJSON { Failure(usage: usage).leave() }
        Terminal.write(Terminal.harmless(usage, as: .page) + "\n")
        exit(ExitStatus.usage.rawValue)
    }
}
