internal import ArgumentParser
internal import CommandConsole
internal import Glibc

/// Where a new package finds scened.
enum ScenedSources: Hashable {
    /// A folder, by its path relative to the new one.
    case folder(String)
    /// A repository, by its URL and what SwiftPM is to take of it, such as `branch: "main"`.
    case repository(url: String, requirement: String)

    /// Checks what the options say by themselves.
    /// - Throws: What is missing, or does not fit together.
    static func check(_ scened: String?, version: String?, branch: String?) throws(ValidationError) {
        guard let scened, isURL(scened) else {
            guard version == nil, branch == nil else {
                throw ValidationError(
                    "--scened-version and --scened-branch go with the URL of a repository in --scened."
                )
            }
            return
        }
        guard (version == nil) != (branch == nil) else {
            throw ValidationError(
                "--scened \(scened): say what to take of it, by --scened-version or --scened-branch, and only one."
            )
        }
        guard !identity(of: scened).isEmpty, unwritable(in: scened) == nil, !scened.contains(where: \.isWhitespace)
        else {
            throw ValidationError("--scened \(scened): expected a URL such as https://git.example/scened.")
        }
        if let version, version.wholeMatch(of: /[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}/) == nil {
            throw ValidationError("--scened-version \(version): expected three numbers, such as 1.2.0.")
        }
        if let branch, branch.wholeMatch(of: /[\w.\/-]+/) == nil {
            throw ValidationError("--scened-branch '\(branch)': expected the name of a branch, such as main.")
        }
    }

    /// - Parameters:
    ///   - scened: A folder, from the working directory, or a URL; `nil` for the sources that this program was built from.
    ///   - package: The real path of the new package's folder.
    /// - Throws: Why there are no sources.
    init(_ scened: String?, version: String?, branch: String?, for package: String) throws(CommandError) {
        if let scened, Self.isURL(scened) {
            let requirement = branch.map { "branch: \"\($0)\"" } ?? "from: \"\(version ?? "")\""
            self = .repository(url: scened, requirement: requirement)
            return
        }
        guard let scened else {
            guard let found = Self.own else {
                throw .usage(
                    "This scenectl is not where it was built, and scened has no published address yet: name the folder of its sources, or the URL of a repository of them, with --scened."
                )
            }
            self = .folder(try Self.written(Self.relative(found, from: package)))
            return
        }
        guard Self.hasSources(scened) else {
            throw .usage(
                "\(scened): expected the folder of scened's sources, which has Package.swift and protocol/python."
            )
        }
        self = .folder(try Self.written(Self.relative(try Self.absolute(scened), from: package)))
    }

    /// The absolute path of a folder. If its last part is a link, it stays one: where that leads may change.
    private static func absolute(_ path: String) throws(CommandError) -> String {
        guard let name = path.split(separator: "/").last, name != ".", name != ".." else {
            return try Files.realPath(path)
        }
        let above = path[..<name.startIndex]
        return "\(try Files.realPath(above.isEmpty ? "." : String(above)))/\(name)"
    }

    /// A character that neither Package.swift nor a shell would take as it is, not even between quotes.
    private static func unwritable(in text: String) -> Character? {
        text.first { "\"\\$`".contains($0) || $0.isNewline }
    }

    /// The path, if files can have it as it is.
    private static func written(_ path: String) throws(CommandError) -> String {
        guard let sign = unwritable(in: path) else { return path }
        throw .usage(
            "\(path): Package.swift and shells would read the character '\(sign)' otherwise; rename the folder, or link to it."
        )
    }

    /// The folder of the package for Python, from that of the new package, as a shell takes it in double quotes.
    var pythonPackage: String {
        switch self {
        case .folder(let path): "${SCENED_SOURCES:-\(path)}/protocol/python"
        case .repository(let url, _): ".build/checkouts/\(Self.identity(of: url))/protocol/python"
        }
    }

    /// By what name SwiftPM knows a package: the last part of its URL.
    static func identity(of url: String) -> String {
        let last = url.split { $0 == "/" || $0 == ":" }.last ?? ""
        return String(last.hasSuffix(".git") ? last.dropLast(4) : last)
    }

    private static func isURL(_ text: String) -> Bool { text.contains("://") || text.hasPrefix("git@") }

    private static func hasSources(_ folder: String) -> Bool {
        ["Package.swift", "protocol/python/pyproject.toml", "Sources/SceneDaemon"].allSatisfy {
            access("\(folder)/\($0)", R_OK) == 0
        }
    }

    /// The folder that this program was built in, which is somewhere above it.
    private static var own: String? {
        guard var folder = try? Files.realPath("/proc/self/exe") else { return nil }
        while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
            folder = String(folder[..<slash])
            if hasSources(folder) { return folder }
        }
        return nil
    }

    /// One absolute path as seen from another.
    private static func relative(_ path: String, from folder: String) -> String {
        let (path, folder) = (path.split(separator: "/"), folder.split(separator: "/"))
        let common = zip(path, folder).prefix { $0 == $1 }.count
        let parts = folder.dropFirst(common).map { _ in ".." } + path.dropFirst(common).map(String.init)
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }
}
