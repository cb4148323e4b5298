internal import Glibc

/// The program of a private daemon.
package struct FoundProgram: Sendable {
    /// Its absolute path; whoever starts it may change the folder it works in.
    package let path: String

    /// Finds the program that is named, else that of the environment's `SCENED`, else `scened`. One without a folder is looked for
    /// beside the running program, then in `PATH`.
    /// - Throws: ``PrivateDaemonError/noProgram(name:source:)``.
    package init(named: String?) throws(PrivateDaemonError) {
        let variable = getenv("SCENED").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        let name = named ?? variable ?? "scened"
        guard let found = Self.find(name) else {
            throw .noProgram(name: name, source: named != nil ? "the option" : variable != nil ? "SCENED" : "PATH")
        }
        path = found
    }

    /// The absolute path of a program, given by a path, or by a name for one beside the running program or in `PATH`; `nil` if none
    /// can be run there.
    static func find(_ name: String) -> String? {
        if name.contains("/") { return absolute(name) }
        if let own, let found = absolute("\(own)/\(name)") { return found }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").lazy.compactMap { absolute("\($0)/\(name)") }.first
    }

    /// The folder of the running program.
    private static var own: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(decoding: buffer.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return own.lastIndex(of: "/").map { String(own[..<$0]) }
    }

    private static func absolute(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else { return nil }
        if path.hasPrefix("/") { return path }
        // A link stays one: a program may go by its name.
        guard let folder = getcwd(nil, 0) else { return nil }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }
}
