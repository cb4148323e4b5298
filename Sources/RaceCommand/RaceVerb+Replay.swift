internal import CommandConsole
internal import Interleaving
internal import SceneRaces

extension RaceVerb {
    /// Runs one order again.
    /// - Parameters:
    ///   - replay: The code, or the name of the file.
    ///   - file: What is in that file; nil for a code.
    func replayed(
        _ replay: String,
        _ race: Race,
        _ name: String,
        _ file: ReplayFile?
    ) async throws -> RaceText {
        let code: ReplayCode
        do throws(ReplayCodeError) {
            if let file { code = file.code } else { code = try ReplayCode(parsing: replay) }
        } catch {
            throw CommandError.usage("--replay \(replay): there is no such file, and as a code: \(error).")
        }
        for mismatch in file?.mismatches() ?? [] { Terminal.complain("\(replay): \(mismatch)") }
        let (run, found, passed) = try await race.replay(
            code,
            shrinks: shrinks,
            inWorker: true,
            isAskedToEnd: { Interruption.wasAsked }
        )
        for difference in file?.differences(from: run) ?? [] { Terminal.complain("\(replay): \(difference)") }
        let isMisfit = file == nil && code.schedule.missed(by: run.steps) > 0
        if isMisfit {
            Terminal.complain(
                "--replay \(replay): this is no order of '\(race.scenario.name)': it has steps out of turn that did not come; the nearest to it was run."
            )
        }
        return RaceText(
            program: Program.name,
            scenario: name,
            app: app,
            mailbox: mailbox,
            replayed: run,
            found: found,
            passed: passed,
            isMisfit: isMisfit
        )
    }
}
