internal import RaceCommand
internal import SceneRaces

/// `scenectl race`: scenarios of manifests, those that ship by their names.
enum ScenectlRaces: RaceProgram {
    static let name = "scenectl"
    static let scenarios = RaceScenarios.builtIn
    static let app: RaceApp? = nil
    static let daemon = RaceScript.Daemon.scened
}
