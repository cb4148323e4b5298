internal import CommandConsole
internal import SceneClient

@main
enum Main {
    static func main() async {
        let program = CommandProgram(Scenectl.self, habits: .ofScenectl) { error in
            (error as? SceneClientError).map(Failure.init)
        }
        await program.run(Array(CommandLine.arguments.dropFirst()))
    }
}
