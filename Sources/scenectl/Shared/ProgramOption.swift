internal import ArgumentParser

/// Which program a private daemon runs.
struct ProgramOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The scened program, or a daemon with an app's own code. Default: that of SCENED, else the one beside scenectl, else the one in PATH.",
            valueName: "path"
        ),
        completion: .file()
    )
    var scened: String?
}
