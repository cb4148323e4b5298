internal import ArgumentParser
internal import Basics
internal import CommandConsole
internal import Glibc
internal import Interleaving
internal import SceneRaces

extension RaceVerb {
    /// Makes the runs of a shard, goes on with it if its file is there, and keeps the file as it goes.
    func search(_ race: Race, _ name: String, _ contents: String, _ text: String) async throws {
        let place = try ShardNumber(text, atMost: RaceShard.Search.maxCount)
        if let warning = place.warning { Terminal.complain(warning) }
        let options = try options(false)
        try Self.requireDivisible(options)
        let search = RaceShard.Search(
            scenario: name,
            app: app,
            contents: contents,
            program: try Self.program(),
            seed: options.seed ?? 1,
            strategy: "\(prove ? .exhaustiveReported : options.strategy)",
            mailbox: race.mailbox,
            granularity: options.granularity,
            iterations: prove ? nil : options.iterations,
            count: place.count
        )
        let file = shardFile ?? "\(Self.stem(name)).shard-\(place.number)-of-\(place.count).json"
        try Files.check("--shard-file", file, keeps: [name, app])
        var shard = RaceShard(place.number, of: search)
        if Files.stamp(file) != nil {
            do throws(CommandError) {
                shard = try ShardFile.read(file)
            } catch {
                throw CommandError.usage("\(error.message) Remove it, or name another with --shard-file.")
            }
            let difference =
                shard.number == place.number
                ? shard.search.difference(from: search) : "shard \(shard.number) instead of \(place.number)"
            if let difference {
                throw CommandError.usage(
                    "\(file): it is of another search: \(difference). Remove it, or name another with --shard-file."
                )
            }
        }
        let before = shard
        do {
            shard = try await Interruption.during { [shard] in
                try await race.search(options, shard) { shard in
                    try Files.write(String(decoding: shard.bytes, as: UTF8.self), to: file, replacing: true)
                }
            }
        } catch let error as ExplorationError {
            throw CommandError(message: "\(error).", status: .unknown)
        } catch let error as Race.TooManyTimes {
            throw CommandError.usage("--prove: \(error).")
        }
        let (found, failures) = (shard.found, shard.found.failures)
        let classes = found.coverage?.classes ?? 0
        let size = shard.size.map { "\($0)" } ?? "?"
        let extent =
            prove
            ? "\(shard.made) of \(size) pieces, \(classes) \(classes == 1 ? "class" : "classes")"
            : "\(found.runs) of \(size) orders"
        Terminal.print(
            "\(name): shard \(place.number) of \(place.count): \(extent), "
                + (failures == 0 ? "no race found" : "\(failures) went wrong") + "; \(file)\n",
            as: .page,
            terminator: ""
        )
        if failures > 0 { throw ExitCode(1) }
        if let time, !Interruption.wasAsked, let advice = shard.advice(since: before) {
            Terminal.complain("--time \(time): \(advice)")
        }
        if let status = Interruption.status { throw ExitCode(status) }
        if !shard.isDone { throw ExitCode(ExitStatus.unknown.rawValue) }
    }

    /// - Throws: Why the runs of a search cannot be divided.
    private static func requireDivisible(_ options: Race.Options) throws(CommandError) {
        guard !options.strategy.isExhaustive else {
            throw CommandError.usage(
                "--shard: strategy \(options.strategy) learns from its own runs, so its runs cannot be divided; give --prove, or a strategy by chance, such as portfolio."
            )
        }
        guard options.iterations <= RaceShard.Search.maxIterations else {
            throw CommandError.usage(
                "--iterations \(options.iterations): with --shard, at most \(RaceShard.Search.maxIterations)."
            )
        }
    }

    /// What the names of the shards' files begin with: the scenario's file without its last extension.
    static func stem(_ scenario: String) -> Substring {
        guard let file = scenario.split(separator: "/").last else { return "race" }
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
        return file[..<dot]
    }

    /// Requires that all shards, and then `merge`, can read the scenario and its app: what comes through a pipe is read once.
    func requireRereadable() throws(CommandError) {
        let option = printFor == nil ? "--shard" : "--print-for"
        for (path, name) in [(scenario, "mine.yaml"), (app, "app.yaml")] {
            guard let path, path == "-" || Files.stamp(path) != nil && !Files.isRegular(path) else { continue }
            throw .usage(
                "\(option): every shard reads \(path == "-" ? "standard input" : path) again, and so does 'race merge', but it can be read only once; put it into a file, such as \(name), and name that."
            )
        }
    }

    /// The script with which an engine starts all shards.
    func script(for engine: String, _ name: String, _ shard: String) throws -> String {
        try Self.requireDivisible(try options(false))
        guard let engine = ShardEngine(rawValue: engine), let count = Int(shard) else {
            throw CommandError.usage(
                "--print-for \(engine) --shard \(shard): expected one of \(ShardEngine.allCases.map(\.rawValue).joined(separator: ", ")), and the number of shards alone."
            )
        }
        let most = engine == .github ? ShardEngine.mostOfGitHub : RaceShard.Search.maxCount
        guard 1...most ~= count else {
            throw CommandError.usage("--print-for \(engine) --shard \(shard): expected 1 to \(most) shards.")
        }
        let options: [(name: String, value: String?)] = [
            ("app", app), ("iterations", iterations.map { "\($0)" }), ("seed", seed.map { "\($0)" }),
            ("strategy", strategy), ("granularity", granularity), ("mailbox", mailbox), ("time", time),
            ("jobs", jobs == Self.defaultJobs ? nil : "\(jobs)"),
        ]
        let given = options.compactMap { option in option.value.map { " --\(option.name) \($0.shellWord)" } }
        let command = "\(Program.name) race \(name.shellWord)\(prove ? " --prove" : "")\(given.joined())"
        for words in engine.refused where command.contains(words) {
            throw CommandError.usage(
                "--print-for \(engine): \(engine) would read \(words == "\n" ? "a line feed" : "'\(words)'") in the name of a file otherwise; rename it."
            )
        }
        return engine.script(command, program: Program.name, stem: String(Self.stem(name)), count: count)
    }

    /// The word that stands in place of a scenario where shards are added up. A file of that name is `./merge`.
    static var merge: String { "merge" }

    /// Requires the files that shards name, before they are taken for names of built-in ones.
    static func requireFiles(of search: RaceShard.Search) throws(CommandError) {
        for path in [search.scenario, search.app].compactMap(\.self) where path.contains("/") || path.contains(".") {
            guard Files.stamp(path) == nil else { continue }
            throw .usage(
                "merge: there is no \(path), which the shards name; expected it here, so run merge in the folder in which they were made."
            )
        }
    }

    /// This command, as it was given to search what shards have searched.
    func asSearched(_ search: RaceShard.Search) -> Self {
        var command = self
        (command.scenario, command.files, command.app) = (search.scenario, [], search.app)
        (command.iterations, command.seed, command.prove) = (search.iterations, search.seed, search.proves)
        command.strategy = search.proves ? nil : search.strategy
        command.granularity = search.granularity.rawValue
        command.mailbox = search.mailbox == .fifo ? nil : search.mailbox.rawValue
        command.ends = true
        return command
    }

    /// Tells this program's file from others: a digest of its bytes, eight at a time, because it has some hundred million.
    private static func program() throws(CommandError) -> String {
        let unreadable = CommandError.failed("--shard: the program's own file cannot be read.")
        let descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable }
        defer { close(descriptor) }
        let size = lseek(descriptor, 0, SEEK_END)
        guard size > 0, let bytes = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), bytes != MAP_FAILED else {
            throw unreadable
        }
        defer { munmap(bytes, size) }
        var hash = UInt64(size)
        var offset = 0
        while offset + 8 <= size {
            hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x100_0000_01B3
            hash ^= hash >> 29
            offset += 8
        }
        return String(hash, radix: 16)
    }
}

/// The files of shards.
enum ShardFile {
    static func read(_ file: String) throws(CommandError) -> RaceShard {
        let text = try Input.text(file: file)
        do throws(ShardFileError) {
            return try RaceShard(parsing: Array(text.utf8))
        } catch {
            throw .usage("\(file): \(error).")
        }
    }

    /// - Throws: What is wrong with a file, or which do not fit together.
    static func merged(_ files: [String]) throws(CommandError) -> MergedShards {
        var shards: [(file: String, shard: RaceShard)] = []
        for file in files { shards.append((file, try read(file))) }
        do throws(ShardMismatch) {
            return try MergedShards(shards)
        } catch {
            throw .usage("merge: \(error.text).")
        }
    }
}
