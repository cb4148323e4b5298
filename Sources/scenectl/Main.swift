internal import ArgumentParser
internal import Glibc
internal import SceneClient

@main
enum Main {
    static func main() async {
        do {
            var command = try Scenectl.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as SceneClientError {
            Terminal.complain(Advice.message(for: error))
            exit(Advice.status(for: error))
        } catch let error as CommandError {
            Terminal.complain(error.message, as: error.form)
            exit(error.status)
        } catch {
            leave(error)
        }
    }

    /// Ends with what the parser says: help goes to standard output with status 0, wrong usage to standard error with 2.
    private static func leave(_ error: any Error) -> Never {
        let text = Scenectl.fullMessage(for: error)
        switch Scenectl.exitCode(for: error) {
        case .success:
            if !text.isEmpty { print(text, as: .page) }
            exit(0)
        case let code:
            if !text.isEmpty { Terminal.write(Terminal.harmless(text, as: .page) + "\n") }
            exit(code == .validationFailure ? 2 : code.rawValue)
        }
    }
}
