internal import Glibc

/// The files of a journal, which explain why nothing is found: libsystemd silently skips those that it may not open.
struct JournalFiles {
    /// How many files the user may read.
    private(set) var readable = 0
    /// How many files and folders the user may not read.
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

    /// A journal has a folder with files for each machine and namespace.
    private mutating func addFolders(in path: String, where isMeant: (String) -> Bool) {
        guard let names = names(in: path) else { return }
        for name in names where !name.hasSuffix(".journal") && isMeant(name) { addFiles(in: "\(path)/\(name)") }
    }

    private mutating func addFiles(in path: String) {
        guard let names = names(in: path) else { return }
        // The names of files set aside after a crash end with ~.
        for name in names where name.hasSuffix(".journal") || name.hasSuffix(".journal~") { add("\(path)/\(name)") }
    }

    private mutating func add(_ path: String) {
        if access(path, R_OK) == 0 {
            readable += 1
        } else if errno == EACCES {
            unreadable += 1
        }
    }

    /// The names in a folder; `nil` if it is not a folder or may not be read.
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

/// Reads files of one line, such as those of the kernel.
enum SmallFile {
    /// The first line, at most 256 bytes of it; `nil` if the file cannot be read.
    static func line(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
