internal import Glibc

/// The files a journal consists of, to tell why nothing is found: libsystemd passes over what it may not open.
struct JournalFiles {
    /// How many the user may read, and may not.
    private(set) var readable = 0
    private(set) var unreadable = 0

    init(at place: JournalQuery.Place) {
        switch place {
        case .machine: for path in Self.usual { addFolders(in: path) { _ in true } }
        case .namespace(let name):
            for path in Self.usual { addFolders(in: path) { $0.hasSuffix(".\(name)") } }
        case .directory(let path):
            addFiles(in: path)
            addFolders(in: path) { _ in true }
        case .files(let paths): for path in paths { add(path) }
        }
    }

    private static let usual = ["/run/log/journal", "/var/log/journal"]

    /// A journal has a folder per machine and namespace, each with its files.
    private mutating func addFolders(in path: String, where isMeant: (String) -> Bool) {
        guard let names = names(in: path) else { return }
        for name in names where !name.hasSuffix(".journal") && isMeant(name) { addFiles(in: "\(path)/\(name)") }
    }

    private mutating func addFiles(in path: String) {
        guard let names = names(in: path) else { return }
        // Those set aside after a crash end in ~.
        for name in names where name.hasSuffix(".journal") || name.hasSuffix(".journal~") { add("\(path)/\(name)") }
    }

    private mutating func add(_ path: String) {
        if access(path, R_OK) == 0 {
            readable += 1
        } else if errno == EACCES {
            unreadable += 1
        }
    }

    /// `nil` for what is no folder; one that may not be read counts as a file that may not.
    private mutating func names(in path: String) -> [String]? {
        guard let folder = opendir(path) else {
            if errno == EACCES { unreadable += 1 }
            return nil
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
