internal import Glibc

/// A file, or a pipe that somebody reads, that is written in pieces, each as soon as it is there.
package struct OutputFile: ~Copyable {
    private let path: String
    /// What messages call it.
    private let name: String
    private let descriptor: Int32
    /// The file that takes the other's place once it is whole; `nil` if there is none.
    private var partial: String?

    /// Opens it for writing.
    /// - Parameters:
    ///   - isPrivate: Whether only its owner may read a new file, because it can contain what users typed.
    ///   - replacing: Whether an existing file may be replaced. It keeps its mode.
    package init(_ path: String, isPrivate: Bool = true, replacing: Bool = false) throws(CommandError) {
        try self.init(path, named: path, isPrivate: isPrivate, replacing: replacing)
    }

    private init(_ path: String, named name: String, isPrivate: Bool, replacing: Bool) throws(CommandError) {
        // To open a pipe without a reader would wait for one.
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (replacing ? O_TRUNC : O_EXCL)
        self.path = path
        self.name = name
        descriptor = open(path, flags, isPrivate ? 0o600 : 0o666)
        guard descriptor >= 0 else {
            throw .failed("\(name): \(errno == ENXIO ? Files.unread : String(cString: strerror(errno))).")
        }
        // To write waits until there is room.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    /// Opens a file that takes the place of an earlier one only when all of it is written: see ``finish()``. A pipe or a device is written
    /// to at once.
    /// - Parameter path: As above; a new file may be read by its owner only.
    package init(whole path: String) throws(CommandError) {
        var information = stat()
        let isThere = stat(path, &information) == 0
        guard !isThere || information.st_mode & S_IFMT == S_IFREG else {
            try self.init(path, replacing: true)
            return
        }
        // Where a link leads.
        let place = isThere ? try Files.realPath(path) : path
        try self.init("\(place).partial", named: path, isPrivate: true, replacing: true)
        partial = place
        if isThere { _ = fchmod(descriptor, information.st_mode & 0o777) }
    }

    /// Puts a whole file in its place.
    package mutating func finish() throws(CommandError) {
        guard let place = partial else { return }
        guard rename(path, place) == 0 else { throw .failed("\(name): \(String(cString: strerror(errno))).") }
        partial = nil
    }

    deinit {
        close(descriptor)
        if partial != nil { unlink(path) }
    }

    /// Appends bytes.
    package func write(_ bytes: ArraySlice<UInt8>) throws(CommandError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .failed("\(name): \(String(cString: strerror(errno))).") }
            rest = rest.dropFirst(count)
        }
    }
}
