package import SceneRaces

/// A program that has the command `race`.
package protocol RaceProgram: SendableMetatype {
    /// What it is called, for messages and for the lines that repeat a race.
    static var name: String { get }
    /// The scenarios that it knows by name.
    static var scenarios: RaceScenarios { get }
    /// The app whose code runs; `nil` if scenarios run in the manifests that they name, without code in Swift.
    static var app: RaceApp? { get }
    /// The daemon on which an exported script runs.
    static var daemon: RaceScript.Daemon { get }
}
