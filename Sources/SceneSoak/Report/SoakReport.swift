package import Histogram

/// The report of a soak: a page, the run as JSON, the latencies, and a summary as text.
package enum SoakReport {
    /// The file with the page.
    package static let page = "report.html"
    /// The file with the run.
    package static let run = "soak.json"
    /// The file with the sum of several machines' runs.
    package static let sum = "sum.json"
    /// The file with the distribution of latencies.
    package static let latency = "latency.hgrm"

    /// The files that were written, and the errors of those that were not.
    package struct Written: Hashable, Sendable {
        /// The paths, in the order written.
        package var files: [String] = []
        package var failures: [SoakFolder.Failure] = []

        package var isComplete: Bool { failures.isEmpty }
    }

    /// Writes `soak.json`, `latency.hgrm` and `report.html` into a folder, which is created if necessary.
    ///
    /// If one file cannot be written, the others still are. The run comes first, because the others can be made from it
    /// (`scenectl soak report FILE`).
    /// - Parameter refuge: Another folder for the run, if it cannot be written to the first; none by default.
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
    /// - Throws: ``SoakFolder/Failure``; if the file is not a soak, it says why, with line and column.
    package static func read(_ path: String) throws(SoakFolder.Failure) -> SoakRun {
        let file = SoakFolder.isFolder(path) ? "\(path)/\(run)" : path
        let bytes = try SoakFolder.read(file)
        do throws(SoakFileError) {
            return try SoakFile.run(parsing: bytes)
        } catch {
            throw SoakFolder.Failure(path: file, reason: error.description)
        }
    }

    /// The percentile distribution in milliseconds, in the format of HdrHistogram's tools.
    package static func hgrm(_ latency: Histogram<UInt64>) -> String {
        var text = ""
        latency.outputPercentileDistribution(to: &text, outputValueUnitScalingRatio: 1e6)
        return text
    }
}
