internal import Glibc

/// A directory that only this user can read, gone afterwards.
struct TemporaryDirectory {
    let path: String

    init() throws(PrivateDaemonError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/scened-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .noDirectory(reason: String(cString: strerror(errno)))
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes it with the socket, which is all that can be in it.
    func remove() {
        unlink("\(path)/io.scened")
        rmdir(path)
    }
}
