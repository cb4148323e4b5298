internal import Histogram
internal import StrictJSON

extension SoakMember {
    func run() throws(Problem) -> SoakRun {
        try requireHeader()
        let place = try member("place")
        var run = SoakRun(
            plan: try optional("plan")?.plan(),
            place: SoakRun.Place(
                system: try place.member("system").string(),
                cores: try place.member("cores").integer(),
                memory: try place.member("memory").integer(upTo: .max),
                daemon: try place.member("daemon").string(),
                app: try place.member("app").string()
            ),
            began: UInt64(try member("began").integer(upTo: .max))
        )
        run.length = try member("length").duration()
        run.ending = try ending()
        run.latency = try member("latency").histogram()
        run.latencyByKind = try member("latencyByKind").members { (member) throws(Problem) in try member.histogram() }
        run.serviceTime = try member("serviceTime").histogram()
        run.generatorLag = try member("generatorLag").histogram()
        run.faults = try member("faults").elements { (member) throws(Problem) in try member.fault() }
        run.hosts = try member("hosts").elements { (member) throws(Problem) in try member.host() }
        run.scenes = try member("scenes").elements { (member) throws(Problem) in try member.span() }
        run.intervals = try member("intervals").elements { (member) throws(Problem) in try member.interval() }
        return run
    }

    private func requireHeader() throws(Problem) {
        guard try optional("format")?.value.stringValue == SoakFile.format else {
            throw Problem(
                path: path,
                text:
                    "it is no soak: 'format' must be \"\(SoakFile.format)\". Give a soak.json that 'scenectl soak' wrote"
            )
        }
        let version = try member("version")
        guard version.value.integerValue == SoakFile.version else {
            throw Problem(
                path: version.path,
                text:
                    "it is of version \(version.value.text()), and this build reads version \(SoakFile.version): read it with the scenectl that wrote it"
            )
        }
    }

    private func ending() throws(Problem) -> SoakRun.Ending {
        let ending = try member("ending")
        switch try ending.string() {
        case "completed": return .completed
        case "interrupted": return .interrupted
        case "failed": return .failed(try member("failure").string())
        default: throw ending.wrong("one of \"completed\", \"interrupted\", \"failed\"")
        }
    }

    private func plan() throws(Problem) -> SoakPlan {
        let seed = try member("seed")
        guard let seedNumber = UInt64(try seed.string()) else { throw seed.wrong("a string of a number of 64 bits") }
        var plan = SoakPlan(
            rate: try member("rate").number(),
            arrival: try member("arrival").oneOf(SoakPlan.Arrival.self),
            duration: try member("duration").duration(),
            warmUp: try member("warmUp").duration(),
            clients: try member("clients").integer(),
            scenes: try member("scenes").integer(),
            mix: try member("mix").members { (member) throws(Problem) in try member.number() },
            seed: seedNumber,
            percentiles: try member("percentiles").elements { (member) throws(Problem) in try member.rank() },
            objectives: try member("objectives").elements { (member) throws(Problem) in try member.string() },
            every: try member("every").duration(),
            catchesUp: try member("catchesUp").bool(),
            faults: try member("faults").elements { (member) throws(Problem) in try member.string() }
        )
        // Files of before these were written say nothing of them.
        if let inFlight = try optional("inFlight")?.integer() { plan.inFlight = inFlight }
        plan.script = try optional("script")?.string()
        plan.isPrivate = try optional("private")?.bool() ?? false
        plan.app = try optional("app")?.string()
        plan.resets = try optional("reset")?.bool() ?? false
        plan.followsRecords = try optional("records")?.bool() ?? true
        return plan
    }

    private func rank() throws(Problem) -> Double {
        let rank = try number()
        guard rank <= 100 else { throw wrong("a percentile from 0 to 100") }
        return rank
    }

    private func interval() throws(Problem) -> SoakInterval {
        var interval = SoakInterval(
            start: try member("start").duration(),
            length: try member("length").duration(),
            isWarmUp: try optional("warmUp")?.bool() ?? false
        )
        interval.due = try member("due").integer()
        interval.sent = try member("sent").integer()
        interval.answered = try member("answered").integer()
        interval.cutOff = try optional("cutOff")?.integer() ?? 0
        interval.outcomes = try optional("outcomes")?.counts() ?? [:]
        interval.errors = try optional("errors")?.counts() ?? [:]
        if let percentiles = try optional("percentiles") {
            for (key, value) in try percentiles.members({ (member) throws(Problem) in try member.integer(upTo: .max) })
            {
                guard let rank = Double(key), (0...100).contains(rank) else {
                    throw percentiles.wrong("an object of percentiles, such as \"99.9\"")
                }
                interval.percentiles[rank] = UInt64(value)
            }
        }
        interval.sample = try optional("sample")?.sample()
        return interval
    }

    private func counts() throws(Problem) -> [String: Int] {
        try members { (member) throws(Problem) in try member.integer() }
    }

    private func sample() throws(Problem) -> SoakSample {
        var sample = SoakSample(host: try member("host").string())
        sample.resident = try optional("resident")?.integer(upTo: .max)
        sample.descriptors = try optional("descriptors")?.integer()
        sample.threads = try optional("threads")?.integer()
        sample.processorTime = try optional("processorTime")?.duration()
        sample.pending = try optional("pending")?.integer()
        sample.parked = try optional("parked")?.integer()
        sample.coordinators = try optional("coordinators")?.integer()
        sample.scenes = try optional("scenes")?.integer()
        sample.connections = try optional("connections")?.integer()
        return sample
    }

    private func fault() throws(Problem) -> SoakFault {
        SoakFault(
            kind: try member("kind").oneOf(SoakFault.Kind.self),
            start: try member("start").duration(),
            end: try member("end").duration(),
            note: try member("note").string()
        )
    }

    private func span() throws(Problem) -> SoakSceneSpan {
        SoakSceneSpan(
            scene: try member("scene").string(),
            state: try member("state").string(),
            start: try member("start").duration(),
            end: try member("end").duration()
        )
    }

    private func histogram() throws(Problem) -> Histogram<UInt64> {
        var histogram = SoakRun.histogram()
        let values = try member("values")
        let pairs = try values.elements { (pair) throws(Problem) -> (value: Int, count: Int) in
            let numbers = try pair.elements { (member) throws(Problem) in try member.integer(upTo: 1 << 60) }
            guard numbers.count == 2, numbers[1] > 0, numbers[1] <= Self.mostCounted else {
                throw pair.wrong("[value, how often from 1]")
            }
            return (numbers[0], numbers[1])
        }
        guard let first = pairs.first, let last = pairs.last else { return histogram }
        for (one, next) in zip(pairs, pairs.dropFirst()) where one.value >= next.value {
            throw values.wrong("values that ascend")
        }
        let least = try member("least").integer(upTo: 1 << 60)
        let most = try member("most").integer(upTo: 1 << 60)
        guard most >= last.value, least <= most else { throw values.wrong("values between 'least' and 'most'") }
        // The ends exactly as they were, everything between as it was counted.
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
