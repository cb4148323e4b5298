internal import Glibc

/// Whether what is written to standard error goes to the journal, so that structured entries should replace text.
///
/// systemd sets `JOURNAL_STREAM` to the device and inode of the stream it connected; the variable alone proves nothing,
/// because a child with a redirected standard error inherits it. See systemd.exec(5).
package func standardErrorIsJournal() -> Bool {
    getenv("JOURNAL_STREAM").map { isJournalStream(STDERR_FILENO, named: String(cString: $0)) } ?? false
}

/// Whether a descriptor is the stream that `JOURNAL_STREAM` names as `DEVICE:INODE`.
func isJournalStream(_ descriptor: Int32, named stream: String) -> Bool {
    let parts = stream.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let device = UInt(parts[0]), let inode = UInt(parts[1]) else { return false }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return UInt(status.st_dev) == device && UInt(status.st_ino) == inode
}
