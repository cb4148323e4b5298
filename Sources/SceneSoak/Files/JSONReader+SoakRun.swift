internal import Histogram
internal import StrictJSON

/// More than any count in a soak, yet so small that a sum over all intervals does not overflow.
private let mostCounted = 1_000_000_000_000

extension JSONReader {
    func run() throws(JSONFieldError) -> SoakRun {
        try requireFormat(SoakFile.format, version: SoakFile.version)
        let place = try self["place"]
        var run = SoakRun(
            plan: try optional("plan")?.plan(),
            place: SoakRun.Place(
                system: try place["system"].text(),
                cores: try place["cores"].count(),
                memory: try place["memory"].integer(from: 0),
                daemon: try place["daemon"].text(),
                app: try place["app"].text(),
                manifest: try place.optional("manifest")?.text()
            ),
            began: UInt64(try self["began"].integer(from: 0))
        )
        run.length = try self["length"].duration()
        run.ending = try ending()
        run.latency = try self["latency"].histogram()
        run.latencyByKind = try self["latencyByKind"].mapMembers { member throws(JSONFieldError) in
            try member.histogram()
        }
        run.serviceTime = try self["serviceTime"].histogram()
        run.generatorLag = try self["generatorLag"].histogram()
        run.faults = try self["faults"].elements().map { member throws(JSONFieldError) in try member.fault() }
        run.hosts = try self["hosts"].elements().map { member throws(JSONFieldError) in try member.host() }
        run.scenes = try self["scenes"].elements().map { member throws(JSONFieldError) in try member.span() }
        run.intervals = try self["intervals"].elements().map { member throws(JSONFieldError) in try member.interval() }
        // Files of earlier versions do not say.
        run.coverage = try optional("coverage")?.coverage()
        return run
    }

    private func coverage() throws(JSONFieldError) -> SoakCoverage {
        var coverage = SoakCoverage()
        for part in SoakCoverage.Part.allCases {
            // Files of earlier versions do not say everything.
            coverage.items[part] = try optional(part.rawValue)?.elements().map { item throws(JSONFieldError) in
                SoakCoverage.Item(
                    try item["name"].text(),
                    try item["count"].count(),
                    why: try item.optional("why")?.text()
                )
            }
        }
        return coverage
    }

    private func ending() throws(JSONFieldError) -> SoakRun.Ending {
        let ending = try self["ending"]
        switch try ending.text() {
        case "completed": return .completed
        case "interrupted": return .interrupted
        case "failed": return .failed(try self["failure"].text())
        default: throw ending.error(oneOf: ["completed", "interrupted", "failed"])
        }
    }

    private func plan() throws(JSONFieldError) -> SoakPlan {
        let seed = try self["seed"]
        guard let seedNumber = UInt64(try seed.text()) else { throw seed.error("string with a 64-bit number") }
        var plan = SoakPlan(
            rate: try self["rate"].number(from: 0),
            arrival: try self["arrival"].choice(),
            duration: try self["duration"].duration(),
            warmUp: try self["warmUp"].duration(),
            clients: try self["clients"].count(),
            scenes: try self["scenes"].count(),
            mix: try self["mix"].mapMembers { member throws(JSONFieldError) in try member.number(from: 0) },
            seed: seedNumber,
            percentiles: try self["percentiles"].elements().map { member throws(JSONFieldError) in
                try member.number(from: 0, to: 100)
            },
            objectives: try self["objectives"].texts(),
            every: try self["every"].duration(),
            catchesUp: try self["catchesUp"].bool(),
            faults: try self["faults"].texts()
        )
        // Files of older versions lack these members.
        if let inFlight = try optional("inFlight")?.count() { plan.inFlight = inFlight }
        plan.script = try optional("script")?.text()
        plan.isPrivate = try optional("private")?.bool() ?? false
        plan.app = try optional("app")?.text()
        plan.resets = try optional("reset")?.bool() ?? false
        plan.followsRecords = try optional("records")?.bool() ?? true
        if let shard = try optional("shard") {
            let count = try shard["count"].integer(from: 1, to: SoakPlan.Shard.maxCount)
            plan.shard = SoakPlan.Shard(number: try shard["number"].integer(from: 1, to: count), count: count)
        }
        return plan
    }

    private func interval() throws(JSONFieldError) -> SoakInterval {
        var interval = SoakInterval(
            start: try self["start"].duration(),
            length: try self["length"].duration(),
            isWarmUp: try optional("warmUp")?.bool() ?? false
        )
        interval.due = try self["due"].count()
        interval.sent = try self["sent"].count()
        interval.answered = try self["answered"].count()
        interval.cutOff = try optional("cutOff")?.count() ?? 0
        interval.outcomes = try optional("outcomes")?.counts() ?? [:]
        interval.errors = try optional("errors")?.counts() ?? [:]
        if let percentiles = try optional("percentiles") {
            for (key, value) in try percentiles.members() {
                guard let rank = Double(key), (0...100).contains(rank) else {
                    throw percentiles.error("object of percentiles, such as \"99.9\"")
                }
                interval.percentiles[rank] = UInt64(try value.integer(from: 0))
            }
        }
        interval.sample = try optional("sample")?.sample()
        return interval
    }

    /// At most a hundred years.
    func duration() throws(JSONFieldError) -> Duration {
        .nanoseconds(try integer(from: 0, to: 3_155_760_000_000_000_000))
    }

    func count() throws(JSONFieldError) -> Int { try integer(from: 0, to: mostCounted) }

    private func counts() throws(JSONFieldError) -> [String: Int] {
        try mapMembers { member throws(JSONFieldError) in try member.count() }
    }

    private func sample() throws(JSONFieldError) -> SoakSample {
        var sample = SoakSample(host: try self["host"].text())
        sample.resident = try optional("resident")?.integer(from: 0)
        sample.descriptors = try optional("descriptors")?.count()
        sample.threads = try optional("threads")?.count()
        sample.processorTime = try optional("processorTime")?.duration()
        sample.pending = try optional("pending")?.count()
        sample.parked = try optional("parked")?.count()
        sample.coordinators = try optional("coordinators")?.count()
        sample.scenes = try optional("scenes")?.count()
        sample.connections = try optional("connections")?.count()
        return sample
    }

    private func fault() throws(JSONFieldError) -> SoakFault {
        SoakFault(
            kind: try self["kind"].choice(),
            start: try self["start"].duration(),
            end: try self["end"].duration(),
            note: try self["note"].text(),
            hasFailed: try optional("failed").map { member throws(JSONFieldError) in try member.bool() } ?? false,
            page: try optional("page").map { page throws(JSONFieldError) in
                SoakFault.Page(file: try page.text(), place: try self["place"].count())
            }
        )
    }

    private func span() throws(JSONFieldError) -> SoakSceneSpan {
        SoakSceneSpan(
            scene: try self["scene"].text(),
            state: try self["state"].text(),
            start: try self["start"].duration(),
            end: try self["end"].duration()
        )
    }

    private func histogram() throws(JSONFieldError) -> Histogram<UInt64> {
        var histogram = SoakRun.histogram()
        let values = try self["values"]
        let pairs = try values.elements().map { (pair) throws(JSONFieldError) -> (value: Int, count: Int) in
            let numbers = try pair.elements().map { member throws(JSONFieldError) in
                try member.integer(from: 0, to: 1 << 60)
            }
            guard numbers.count == 2, numbers[1] > 0, numbers[1] <= mostCounted else {
                throw pair.error("[value, count from 1]")
            }
            return (numbers[0], numbers[1])
        }
        guard let first = pairs.first, let last = pairs.last else { return histogram }
        for (one, next) in zip(pairs, pairs.dropFirst()) where one.value >= next.value {
            throw values.error("ascending values")
        }
        let least = try self["least"].integer(from: 0, to: 1 << 60)
        let most = try self["most"].integer(from: 0, to: 1 << 60)
        guard most >= last.value, least <= most else { throw values.error("values between 'least' and 'most'") }
        // The first and last value exactly, everything between with the histogram's precision.
        for (index, pair) in pairs.enumerated() {
            var count = pair.count
            if index == pairs.count - 1 {
                histogram.record(UInt64(most))
                count -= 1
            }
            let value = index == 0 ? max(least, first.value) : pair.value
            if count > 0 { histogram.record(UInt64(value), count: UInt64(count)) }
        }
        return histogram
    }
}
