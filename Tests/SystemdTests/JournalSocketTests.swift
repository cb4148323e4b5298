import Glibc
import TestFixtures
import Testing

@testable import Systemd

@Suite("The journal's socket")
struct JournalSocketTests {
    @Test("is reachable if a process reads it, and not if it is missing, stale or not a socket")
    func reachability() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        #expect(!JournalSocket.isReachable(at: path))
        let listener = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #expect(bindUnix(listener, to: path) == 0)
        #expect(JournalSocket.isReachable(at: path))
        close(listener)
        #expect(!JournalSocket.isReachable(at: path))
        #expect(!JournalSocket.isReachable(at: directory.path))
        #expect(!JournalSocket.isReachable(at: "/" + String(repeating: "x", count: 200)))
    }

    @Test("standard error is the journal if device and inode match")
    func stream() {
        var status = stat()
        #expect(fstat(STDERR_FILENO, &status) == 0)
        let (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
        #expect(isJournalStream(STDERR_FILENO, named: "\(device):\(inode)"))
        for other in ["\(device):\(inode + 1)", "\(device + 1):\(inode)", "\(device)", "", ":", "a:b", "1:2:3", "-1:1"]
        {
            #expect(!isJournalStream(STDERR_FILENO, named: other), "\(other)")
        }
        #expect(!isJournalStream(-1, named: "\(device):\(inode)"))
    }
}
