internal import Basics
internal import CInterleaving

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The source lines of code addresses, from the debug information: `addr2line` or `llvm-addr2line` says, where one is installed.
enum SourceLines {
    struct Place: Hashable, CustomStringConvertible {
        let file: String
        let line: Int

        /// Such as `Session.swift:41`.
        var description: String { "\(file.split(separator: "/").last.map(String.init) ?? file):\(line)" }
    }

    /// - Returns: One place for each address; nil where it is unknown.
    static func of(_ addresses: [UInt]) -> [Place?] {
        var places = [Place?](repeating: nil, count: addresses.count)
        var offsets: [String: [(index: Int, offset: UInt)]] = [:]
        for (index, address) in addresses.enumerated() where address != 0 {
            var offset: UInt = 0
            guard let text = interleaving_object_file(address, &offset) else { continue }
            offsets[String(cString: text), default: []].append((index, offset))
            free(text)
        }
        for (file, entries) in offsets {
            let arguments = ["-e", file] + entries.map { "0x" + String($0.offset, radix: 16) }
            guard let lines = ["addr2line", "llvm-addr2line"].lazy.compactMap({ output(of: $0, arguments) }).first
            else {
                continue
            }
            for (entry, line) in zip(entries, lines) { places[entry.index] = place(line) }
        }
        return places
    }

    /// `/a/b.swift:12` or `/a/b.swift:12 (discriminator 3)`; unknown parts are `??` and 0.
    static func place(_ line: String) -> Place? {
        let text = line.firstRange(of: " (").map { line[..<$0.lowerBound] } ?? line[...]
        guard let colon = text.lastIndex(of: ":"), let number = Int(text[text.index(after: colon)...]), number > 0
        else {
            return nil
        }
        let file = text[..<colon]
        return file.contains("?") || file.contains("<compiler-generated>")
            ? nil : Place(file: String(file), line: number)
    }

    /// The lines that a program prints; nil if it cannot be started or fails.
    private static func output(of program: String, _ arguments: [String]) -> [String]? {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, program, &actions, nil, words, interleaving_environment_variables())
        close(ends[1])
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while error == 0 {
            let count = read(ends[0], &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        close(ends[0])
        guard error == 0 else { return nil }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

/// Places in the code for sentences, each looked up once in a process.
enum CodePlace {
    private static let known = Guarded<[UInt: String]>([:])

    /// Such as `at Bridge.swift:31`, or `in Bridge.open()` if the line is not known; nil if nothing is.
    static func description(of address: UInt) -> String? {
        guard address != 0 else { return nil }
        return known.withLock(for: nil) { known in
            if let place = known[address] { return place }
            let words =
                SourceLines.of([address])[0].map { "at \($0)" } ?? FunctionName.at(address).map { "in \($0)" }
            known[address] = words
            return words
        }
    }
}
