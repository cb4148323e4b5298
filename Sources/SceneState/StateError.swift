internal import Glibc

/// Why state cannot be kept, or not be read back.
package enum StateError: Error, Hashable, Sendable {
    /// There is no such folder, and it cannot be made.
    case noFolder(path: String, reason: String)
    /// Something is where a copy is to be made.
    case exists(path: String)
    /// There is no state.
    case noState(path: String, reason: String)
    /// What is there is not what it has to be, such as a folder where a file is expected.
    case wrongKind(path: String, expected: String)
    /// It belongs to somebody else than the user (the numbers are user IDs).
    case wrongOwner(path: String, owner: UInt32, user: UInt32)
    /// Others than the owner may write it.
    case tooOpen(path: String, mode: UInt32)
    /// A process has the state open; its ID if it is known.
    case inUse(directory: String, process: Int?)
    /// The file is no database.
    case notADatabase(path: String)
    /// The file is a database of another program, by its application ID.
    case foreign(path: String, application: UInt32)
    /// The file is of a format that is too new.
    case newer(path: String, format: Int, readable: Int)
    /// The file is of a format that is brought to the newest by whoever goes on with it, and cannot be read before.
    case older(path: String, format: Int, newest: Int)
    /// The database is damaged: what is wrong with it.
    case damaged(path: String, reason: String)
    /// The file cannot be opened or read.
    case cannotRead(path: String, reason: String)
    /// Nothing can be written; that may pass.
    case cannotWrite(path: String, reason: String)
    /// What was moved from the log into the database could not be synced, and may be lost there. The log has it.
    case unsynced(path: String, reason: String)
    /// The database is a copy that no daemon has opened, and the log beside it is that of another.
    case logOfAnother(path: String)
    /// It is the state of an app of another name than the one that is to go on with it.
    case otherApp(path: String, app: String, wanted: String)
    /// The file was moved, removed or replaced while it was open.
    case moved(path: String)
    /// A change was handed over before any host had begun.
    case noHost(path: String)
    /// The store was closed.
    case closed(path: String)
}

extension StateError {
    /// The status with which a daemon ends that has served until then and can keep nothing any more: 74 (`EX_IOERR`) if starting it again may
    /// help, else 78 (`EX_CONFIG`).
    package var exitStatus: Int32 {
        switch self {
        case .cannotWrite, .unsynced: EX_IOERR
        default: EX_CONFIG
        }
    }

    /// Whether it may be over by itself or by what somebody does, so that the same can be written later.
    var mayPass: Bool { if case .cannotWrite = self { true } else { false } }
}

extension StateError: CustomStringConvertible {
    /// What is wrong, where, and what would be right.
    package var description: String {
        switch self {
        case .noFolder(let path, let reason):
            "\(path): cannot be made or opened as the folder for the state: \(reason); "
                + "name a folder, or one that can be made in a folder that exists"
        case .exists(let path):
            "\(path): exists already, and a copy is made into a new folder, so that nothing is overwritten; "
                + "name a folder that does not exist, or move this away"
        case .noState(let path, let reason):
            "\(path): is no state of a scened: \(reason); name the folder that --state named"
        case .older(let path, let format, let newest):
            "\(path): was written by an older scened (format \(format), and this is for \(newest)); "
                + "start a scened of this version with it once, which brings it to format \(newest)"
        case .wrongKind(let path, let expected):
            "\(path): is not \(expected); move it away, or name another folder for the state"
        case .wrongOwner(let path, let owner, let user):
            "\(path): belongs to user \(owner), and this is run by user \(user), but only its owner uses a state; "
                + "run this as user \(owner), name another folder, or give this one to user \(user) if it is to be the daemon's"
        case .tooOpen(let path, let mode):
            "\(path): others than its owner may write it (mode \(Self.octal(mode))); take that away by chmod go-w"
        case .inUse(let directory, let process):
            "\(directory): \(process.map { "process \($0)" } ?? "another process") has this state open, and only one may; "
                + "end that, or name another folder"
        case .notADatabase(let path):
            "\(path): is not a database of SQLite, so it is not the state of a scened; "
                + "put back the right file, or move this away to begin anew"
        case .foreign(let path, let application):
            "\(path): is a database of another program (application ID 0x\(String(application, radix: 16))); "
                + "put back the right file, or name another folder"
        case .newer(let path, let format, let readable):
            "\(path): was written by a newer scened (format \(format); this one reads up to \(readable)); "
                + "run that version, or name another folder"
        case .damaged(let path, let reason):
            "\(path): is damaged: \(reason); put back a copy of it, or move the folder away to begin anew"
        case .cannotRead(let path, let reason):
            "\(path): cannot be read: \(reason)"
        case .cannotWrite(let path, let reason):
            "\(path): cannot be written: \(reason); free space, mend the disk, or let it be written to"
        case .logOfAnother(let path):
            "\(path): is a copy that no scened has gone on from, and \(path)-wal beside it is the log of another state, whose changes do not belong "
                + "to it; remove \(path)-wal and \(path)-shm"
        case .unsynced(let path, let reason):
            "\(path): what was moved into it from the log of changes could not be synced: \(reason); the log has it all, and whoever opens "
                + "the state anew moves it again, so start scened again, and mend the disk if this comes back"
        case .otherApp(let path, let app, let wanted):
            "\(path): is the state of the app '\(app)', and scened was started with the app '\(wanted)', by which most of it would be dropped; "
                + "name another folder; if this is the same app under a new name, start with the old name and reload the manifest"
        case .moved(let path):
            "\(path): was moved, removed or replaced while this daemon had it open, so nothing more is kept there; "
                + "put it back, with the files beside it, and start scened again"
        case .noHost(let path):
            "\(path): no host has begun in it; start a scened with it that keeps its state, or name another folder"
        case .closed(let path):
            "\(path): the state was closed before this"
        }
    }

    private static func octal(_ mode: UInt32) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
