internal import Basics
internal import Interleaving
internal import Testing

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What a test that has found a race leaves in a folder of its own.
struct RaceArtifacts {
    /// A file, by its name.
    private enum File: String, CaseIterable {
        /// What repeats the race.
        case replay = "race.json"
        /// The page about it.
        case page = "race.html"
    }

    private let parent: String
    private let folder: String

    /// Chooses the folder.
    /// - Parameter clears: Whether it removes what an earlier run left there.
    init(of test: Test, in parent: String, clears: Bool) {
        self.parent = parent
        folder = "\(parent)/\(ArtifactFolder.name(ofNext: [test.id.moduleName] + test.id.nameComponents))"
        guard clears else { return }
        for file in File.allCases { unlink(path(file)) }
        // The folder of all tests stays: another test may be about to write to it.
        rmdir(folder)
    }

    private func path(_ file: File) -> String { "\(folder)/\(file.rawValue)" }

    /// Writes the race and the page, and attaches them to the test.
    /// - Returns: Where they are and what to do with them, or why they could not be kept.
    func kept(_ race: ReplayFile, page: String, command: String) -> String {
        do throws(RaceTestError) {
            for path in [parent, folder] where mkdir(path, 0o777) != 0 && errno != EEXIST {
                throw RaceTestError("\(path): \(String(cString: strerror(errno)))")
            }
            try write(String(decoding: race.bytes, as: UTF8.self), to: .replay)
            try write(page, to: .page)
        } catch {
            return "Nothing was kept: \(error)"
        }
        return
            "Or by its file:\n  INTERLEAVING_REPLAY=\(path(.replay).shellWord) \(command)\nMore about it: \(path(.page))"
    }

    private func write(_ text: String, to file: File) throws(RaceTestError) {
        try TextFile.write(text, to: path(file))
        Attachment.record(text, named: file.rawValue)
    }
}
