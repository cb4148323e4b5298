internal import ArgumentParser
internal import CommandConsole
internal import SceneSoak
internal import StrictJSON

struct SoakMergeVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Add up the soaks of several machines, such as the shards of one; needs no daemon.",
        discussion: """
            Example: scenectl soak merge friday.shard-*-of-7 --out friday

            Counts and latencies are those of all machines together; each machine keeps its own verdict on what it lost, on what grew \
            and on its objectives. Soaks of other options, of another app or daemon, and the same soak twice are refused.

            Exit status: 0 all are clean, 1 one is guilty, 2 usage, a file that is not a soak, or soaks that do not go together, \
            4 unknown (one of them is, or a shard is missing).
            """
    )

    @Argument(
        help: "The soaks: the folders that they left, or each one's soak.json.",
        completion: .directory
    )
    var soaks: [String]

    @Option(
        help: ArgumentHelp("A folder for report.html, sum.json and latency.hgrm.", valueName: "folder"),
        completion: .directory
    )
    var out: String?

    @OptionGroup var results: CaseReportOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await results.reporting("scenectl soak", of: nil, keeps: soaks + soaks.map { "\($0)/\(SoakReport.run)" }) {
            try run($0)
        }
    }

    /// - Parameter add: Takes what was judged.
    private func run(_ add: (CaseReport.Case) -> Void) throws {
        if let out { try Self.requireFree(out) }
        let sum = try sum()
        for part in sum.parts { for one in part.verdict.cases(of: part.run, called: part.label) { add(one) } }
        for number in sum.missing {
            add(CaseReport.Case("shard \(number) of \(sum.count ?? 0)", .unjudged("it is missing")))
        }
        let files: [String]
        do throws(SoakFolder.Failure) {
            files = try out.map { out throws(SoakFolder.Failure) in try sum.write(to: out) } ?? []
        } catch {
            throw CommandError.usage("--out \(out ?? ""): \(error).")
        }
        if json {
            var object = sum.json.objectValue ?? [:]
            object["files"] = .array(files.map(JSONValue.string))
            print(json: .object(object))
        } else {
            for line in sum.lines { print(SoakOutput.styled(line)) }
            if !files.isEmpty { print("\n" + files.joined(separator: "\n"), as: .page) }
        }
        if sum.status != 0 { throw ExitCode(sum.status) }
    }

    /// Refuses a folder with a report that is not an earlier sum's.
    private static func requireFree(_ folder: String) throws(CommandError) {
        guard !folder.isEmpty else { throw .usage("--out '': expected the path of a folder, found nothing.") }
        func has(_ name: String) -> Bool { Files.stamp("\(folder)/\(name)") != nil }
        if has(SoakReport.run) {
            throw .usage("--out \(folder): it holds a soak, whose report would be replaced; expected another folder.")
        }
        if !has(SoakReport.sum), let name = [SoakReport.page, SoakReport.latency].first(where: has) {
            throw .usage("--out \(folder): it has a \(name) of something else; expected another folder.")
        }
    }

    private func sum() throws(CommandError) -> SoakSum {
        var runs: [(label: String, run: SoakRun)] = []
        for soak in soaks {
            do throws(SoakFolder.Failure) {
                runs.append((soak, try SoakReport.read(soak)))
            } catch {
                throw .usage("\(error).")
            }
        }
        do throws(SoakMismatch) {
            return try SoakSum(runs)
        } catch {
            throw .usage("merge: \(error.text).")
        }
    }
}
