internal import Basics
internal import Glibc

/// Folders and files that commands read and write.
package enum Files {
    /// The names in a folder that end with one of `suffixes`, sorted.
    package static func names(in folder: String, endingWith suffixes: [String]) throws(CommandError) -> [String] {
        try names(in: folder) { name in suffixes.contains(where: name.hasSuffix) }
    }

    /// The names of the folders in a folder, sorted; none if it cannot be read.
    package static func folders(in folder: String) -> [String] {
        let names = try? names(in: folder) { name in
            var information = stat()
            return stat("\(folder)/\(name)", &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
        }
        return names ?? []
    }

    private static func names(in folder: String, _ isWanted: (String) -> Bool) throws(CommandError) -> [String] {
        guard let directory = opendir(folder) else {
            throw .usage("\(folder): \(String(cString: strerror(errno))); expected a folder.")
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if !name.hasPrefix("."), isWanted(name) { names.append(name) }
        }
        return names.sorted()
    }

    /// When a file was changed last, in seconds since 1970; `nil` for what is no file.
    package static func changed(_ path: String) -> Double? {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        return Double(information.st_mtim.tv_sec)
    }

    /// Refuses a folder for new files in which something of another's may be.
    package static func checkFree(_ folder: String) throws(CommandError) {
        guard isFree(folder) else {
            throw .usage("\(folder): exists and is not empty; choose another name, or --directory.")
        }
    }

    /// Whether a folder can be made here without anything of another's in it: there is nothing yet, or an empty folder.
    package static func isFree(_ path: String) -> Bool {
        var information = stat()
        guard lstat(path, &information) == 0 else { return true }
        guard let directory = opendir(path) else { return false }
        defer { closedir(directory) }
        // An empty one names itself and the folder above.
        var count = 0
        while count <= 2, readdir(directory) != nil { count += 1 }
        return count == 2
    }

    /// The absolute path without links.
    package static func realPath(_ path: String) throws(CommandError) -> String {
        guard let real = realpath(path, nil) else { throw .usage("\(path): \(String(cString: strerror(errno))).") }
        defer { free(real) }
        return String(cString: real)
    }

    /// Checks that something new can be put into a folder. One that is not there is not made: its name may be mistyped.
    /// - Parameter option: The option that names the folder, such as `--directory`.
    /// - Throws: What keeps it from being put there, and what would be right.
    package static func check(_ option: String, folder path: String) throws(CommandError) {
        var information = stat()
        guard stat(path, &information) == 0 else {
            let reason = String(cString: strerror(errno))
            throw .usage(
                "\(option) \(path.shellWord): \(reason); expected a folder that is there; 'mkdir -p \(path.shellWord)' makes it."
            )
        }
        guard information.st_mode & S_IFMT == S_IFDIR else {
            throw .usage("\(option) \(path.shellWord): expected a folder, found a file.")
        }
        guard access(path, W_OK | X_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw .usage("\(option) \(path.shellWord): \(reason); expected a folder that you may write to.")
        }
    }

    /// A path as a person reads it here: from the working directory if it is inside, else as it is.
    package static func shown(_ path: String) -> String {
        guard let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        let prefix = String(cString: here) + "/"
        return path.hasPrefix(prefix) && path != prefix ? String(path.dropFirst(prefix.count)) : path
    }

    /// Checks that an output can be written, as far as that shows before, and does not replace an input. A device may still refuse it.
    /// - Parameters:
    ///   - option: The option that names the output, such as `--save`.
    ///   - output: The path of the output; `nil` if there is none.
    ///   - inputs: What the command reads: paths, or other words.
    /// - Throws: What keeps the output from being written, or the input that is the same file.
    package static func check(_ option: String, _ output: String?, keeps inputs: [String?]) throws(CommandError) {
        guard let output else { return }
        if let problem = unwritable(output) { throw .usage("\(option) \(output.isEmpty ? "''" : output): \(problem).") }
        for case let input? in inputs where areSame(input, output) {
            throw .usage("\(option) \(output): would replace \(input), which is read; expected another file.")
        }
    }

    /// Removes a file, if that can be done.
    package static func removeFile(_ path: String) { unlink(path) }

    /// Removes a folder if nothing is in it.
    package static func removeEmpty(_ folder: String) { rmdir(folder) }

    /// Whether two paths lead to the same file, also by a link, or would if there were one.
    package static func areSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return one.hasSameBytes(as: other) }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Whether a path leads to where this process prints, as standard output or error.
    package static func isPrintedTo(_ path: String) -> Bool {
        var file = stat()
        guard stat(path, &file) == 0 else { return false }
        return [STDOUT_FILENO, STDERR_FILENO].contains { descriptor in
            var printed = stat()
            return fstat(descriptor, &printed) == 0 && printed.st_dev == file.st_dev && printed.st_ino == file.st_ino
        }
    }

    /// The first bytes of a file.
    /// - Parameter bytes: How many, at most.
    /// - Throws: Why it cannot be read.
    package static func beginning(of path: String, bytes: Int) throws(CommandError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .usage("\(path): \(String(cString: strerror(errno))).") }
        defer { close(descriptor) }
        let beginning = [UInt8](unsafeUninitializedCapacity: bytes) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, bytes, 0))
        }
        return beginning
    }

    /// Why a file cannot be written here, and what would be right; `nil` if nothing is known against it.
    private static func unwritable(_ path: String) -> String? {
        guard !path.isEmpty else { return "expected the path of a file, found nothing" }
        var information = stat()
        if stat(path, &information) == 0 {
            switch information.st_mode & S_IFMT {
            case S_IFDIR: return "expected a file, found a folder"
            case S_IFSOCK: return "expected a file, found a socket"
            default: break
            }
            guard access(path, W_OK) == 0 else {
                return "\(String(cString: strerror(errno))); expected a file that you may write"
            }
            // It stays open: whoever reads it would take a close for the end.
            let isUnread = information.st_mode & S_IFMT == S_IFIFO && open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) < 0
            return isUnread ? unread : nil
        }
        guard !path.hasSuffix("/") else { return "expected a file, found the name of a folder" }
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard stat(folder, &information) == 0 else {
            return "\(folder): \(String(cString: strerror(errno))); expected a file in a folder that is there"
        }
        guard information.st_mode & S_IFMT == S_IFDIR else { return "\(folder) is no folder; expected a file in one" }
        return access(folder, W_OK | X_OK) == 0
            ? nil : "\(folder): \(String(cString: strerror(errno))); expected a folder that you may write to"
    }

    /// What is wrong with a pipe whose opening would wait for a reader.
    static let unread = "a pipe that nobody reads; expected a file, or a pipe with a reader"

    /// Whether there is a file of its own at a path, nothing that can only be written or read once.
    package static func isRegular(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    }

    /// A text that changes when the file does, from its size and modification time; `nil` if there is no file.
    package static func stamp(_ path: String) -> String? {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        // As bytes: which module declares the members of a time differs from build to build.
        return "\(information.st_size) \(withUnsafeBytes(of: information.st_mtim) { Array($0) })"
    }

    /// Makes a folder and those above it, unless they exist.
    package static func makeFolder(_ path: String) throws(CommandError) {
        var built = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            built += built.isEmpty || built.hasSuffix("/") ? String(part) : "/\(part)"
            guard mkdir(built, 0o777) == 0 || errno == EEXIST else {
                throw .failed("\(built): \(String(cString: strerror(errno))).")
            }
        }
    }

    /// Makes sure that a run can leave files in a folder, and removes those that an earlier run left there, and the folder if nothing else is
    /// in it.
    /// - Parameters:
    ///   - files: The names of the files.
    ///   - mark: The one of them that every run leaves. Where it is not, the others are somebody else's.
    ///   - option: The option that names the folder, such as `--artifacts`.
    /// - Throws: Why nothing can be left there.
    package static func prepare(
        _ folder: String,
        for files: [String],
        mark: String,
        option: String
    ) throws(CommandError) {
        guard !folder.isEmpty else { throw .usage("\(option) '': expected the path of a folder, found nothing.") }
        let place = "\(option) \(folder.shellWord)"
        var information = stat()
        let isThere = stat(folder, &information) == 0
        if isThere, information.st_mode & S_IFMT != S_IFDIR {
            throw .usage("\(place): expected a folder, found a file.")
        }
        let isOurs = lstat("\(folder)/\(mark)", &information) == 0
        for file in files where lstat("\(folder)/\(file)", &information) == 0 {
            guard isOurs else {
                throw .usage("\(place): it has a file \(file) that no earlier run left; expected another folder.")
            }
            guard unlink("\(folder)/\(file)") != 0 else { continue }
            throw .usage("\(place): \(file) cannot be removed: \(String(cString: strerror(errno))).")
        }
        // It shows now, not when something has failed, whether it can be made.
        do throws(CommandError) {
            try makeFolder(folder)
        } catch {
            throw .usage("\(option): \(error.message)")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw .usage("\(place): \(String(cString: strerror(errno))); expected a folder that you may write to.")
        }
        // Something else may be in it, and one that was there and is empty is somebody's.
        if !isThere || isOurs { rmdir(folder) }
    }

    /// Writes a file, or into a pipe that somebody reads.
    /// - Parameters:
    ///   - isPrivate: Whether only its owner may read a new file, because it can contain what users typed.
    ///   - replacing: Whether an existing file may be replaced. It keeps its mode.
    package static func write(
        _ text: String,
        to path: String,
        isPrivate: Bool = true,
        replacing: Bool = false
    ) throws(CommandError) {
        let file = try OutputFile(path, isPrivate: isPrivate, replacing: replacing)
        try file.write(Array(text.utf8)[...])
    }
}
