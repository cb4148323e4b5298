package import Histogram

/// What is left of a soak for people and programs: a page, the run itself, the latencies, and a few lines for a terminal.
package enum SoakReport {
    package static let page = "report.html"
    package static let run = "soak.json"
    package static let latency = "latency.hgrm"

    /// What could be written and what could not.
    package struct Written: Hashable, Sendable {
        /// The paths, in the order written.
        package var files: [String] = []
        package var failures: [SoakFolder.Failure] = []

        package var isComplete: Bool { failures.isEmpty }
    }

    /// Writes `soak.json`, `latency.hgrm` and `report.html` into a folder, which is made where it is not there.
    ///
    /// A file that cannot be written loses none of the others. The run itself comes first, because all others can be made of
    /// it again (`scenectl soak report FILE`).
    /// - Parameter refuge: Another folder, where the run goes if it cannot be written where it should; none by default.
    package static func write(
        _ run: SoakRun,
        verdict: SoakVerdict,
        to folder: String,
        refuge: String? = nil
    ) -> Written {
        var written = Written()
        func write(_ bytes: [UInt8], _ name: String, in folder: String) -> Bool {
            let path = "\(folder)/\(name)"
            do throws(SoakFolder.Failure) {
                try SoakFolder.make(folder)
                try SoakFolder.write(bytes, to: path)
                written.files.append(path)
                return true
            } catch {
                if !written.failures.contains(error) { written.failures.append(error) }
                return false
            }
        }
        let json = SoakFile.bytes(of: run, verdict: verdict)
        let isSafe = write(json, Self.run, in: folder)
        if !isSafe, let refuge { _ = write(json, Self.run, in: refuge) }
        _ = write(Array(hgrm(run.latency).utf8), latency, in: folder)
        _ = write(Array(html(of: run, verdict: verdict).utf8), page, in: folder)
        return written
    }

    /// Reads a run from its folder or from a file.
    /// - Throws: ``SoakFolder/Failure``, with the place and what would be right where it is no soak.
    package static func read(_ path: String) throws(SoakFolder.Failure) -> SoakRun {
        let file = SoakFolder.isFolder(path) ? "\(path)/\(run)" : path
        let bytes = try SoakFolder.read(file)
        do throws(SoakFileError) {
            return try SoakFile.run(parsing: bytes)
        } catch {
            throw SoakFolder.Failure(path: file, reason: error.description)
        }
    }

    /// The percentile distribution in milliseconds, as HdrHistogram's plotter and every tool of its family reads it.
    package static func hgrm(_ latency: Histogram<UInt64>) -> String {
        var text = ""
        latency.outputPercentileDistribution(to: &text, outputValueUnitScalingRatio: 1e6)
        return text
    }
}
