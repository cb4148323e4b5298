internal import SceneRouting
internal import TypedRoutes

/// The name of a new package, which is also that of a module, a folder and, in lower case, a URL scheme.
enum PackageName {
    /// What is wrong with a name, and what would be right; `nil` if nothing is.
    static func problem(_ name: String) -> String? {
        let isWord =
            (1...64).contains(name.utf8.count) && name.utf8.first.map(isLetter) == true
            && name.utf8.allSatisfy { isLetter($0) || isDigit($0) }
        guard isWord else {
            let right = suggestion(for: name).map { "; did you mean '\($0)'?" } ?? "."
            return
                "'\(name)' is no name for an app; expected 1 to 64 letters and digits of ASCII, beginning with a letter\(right)"
        }
        if SwiftNames.isReserved(name) {
            return
                "'\(name)' is a word of Swift and cannot name a module; expected another name, such as '\(capitalized(name))App'."
        }
        if modules.contains(where: { $0.lowercased() == name.lowercased() }) {
            return
                "'\(name)' is the name of a module that the package would link; expected another name, such as 'My\(capitalized(name))'."
        }
        if ["http", "https"].contains(name.lowercased()) {
            return
                "'\(name)' would name the app's own URL scheme, and that one is the web's; expected another name, such as 'My\(capitalized(name))'."
        }
        return nil
    }

    /// The words of a name that is none, joined as the name of a module; `nil` if there are none.
    private static func suggestion(for name: String) -> String? {
        let words = name.utf8.split { !isLetter($0) && !isDigit($0) }.map { String(decoding: $0, as: UTF8.self) }
        let joined = words.map(capitalized).joined()
        guard joined != name, !joined.isEmpty, problem(joined) == nil else { return nil }
        return joined
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The targets of this package and what they link, whose names no other package of a build may have, and modules of the toolchain.
    static let modules: Set<String> = [
        "Algorithms", "AppTemplate", "ArgumentParser", "AsyncAlgorithms", "Atomics", "Basics", "CFatalSignal",
        "CAccess", "CInterleaving", "CSystemd", "CZlib", "Collections", "CommandConsole", "CommandMistakes",
        "Configuration",
        "CoreMetrics",
        "Crypto", "Cxx", "DequeModule", "Dispatch", "Distributed", "ExploredSynchronization", "Figures", "Foundation",
        "FoundationEssentials",
        "FoundationInternationalization", "FoundationNetworking", "FoundationXML", "GRDB", "GRDBSQLite", "Glibc",
        "HTTPTypes", "Histogram",
        "Hummingbird", "HummingbirdCore", "Instrumentation", "Interleaving", "InterleavingTesting",
        "InterleavingXCTest", "Logging",
        "Metrics", "Musl", "NIO", "NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOPosix", "NIOTestUtils", "NewApp",
        "Numerics", "Observation", "PackageDescription", "PagePacking", "RaceCommand", "RegexBuilder", "SceneClient",
        "SceneClientTesting", "SceneDaemon", "SceneDaemonRaces", "SceneEntryPoints", "SceneHistory", "SceneInspector",
        "SceneJournal", "SceneManifest", "SceneModel", "SceneNavigation", "SceneRaces", "SceneRacesTesting",
        "SceneRoutes", "SceneRouting", "SceneRuntime", "SceneService", "SceneSoak", "SceneState", "SceneTesting",
        "SceneUIKit",
        "SceneViewer", "SceneVocabulary", "ServiceLifecycle", "ShopInSwift", "SimulatedExecutors", "StrictJSON",
        "Subprocess", "Swift",
        "Synchronization", "SystemPackage", "Systemd", "TestFixtures", "Testing", "Tracing", "TypedRoutes", "UIKit",
        "UnixSignals", "UserNotifications", "Varlink", "XCTest", "Yams", "scenectl", "scened",
    ]
}
