import Figures
import Foundation
import StrictJSON
import TestFixtures

/// The page on which records are seen, in a browser: how long it takes to open a long history and to go through it, and what it costs to
/// have one open over a daemon under load.
///
///     make bench ARGS=bench-page
///
/// `page.py` drives the browser. It needs what `.ci/setup test` installs.
@main
struct PageBenchmark {
    struct Failure: Error {
        let what: String
    }

    static func main() throws {
        let python = ".build/python-venv/bin/python"
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw Failure(what: "no .build/python-venv; '.ci/setup test' makes it")
        }
        let directory = try TemporaryDirectory()
        let driver = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("page.py").path
        let drive = try Command([python, driver, Command.folder, directory.path])
        while let line = drive.line() {
            guard let figure = Figure(json: try JSONValue(parsing: Array(line.utf8))) else {
                throw Failure(what: "no figure: \(line)")
            }
            try FigureLog.add(figure)
        }
        guard drive.end() == 0 else { throw Failure(what: "page.py failed") }
    }
}
