internal import Basics
package import SceneRouting
internal import SceneVocabulary
package import StrictJSON

/// A random walk through an app: what two people do with its windows, one step after the other, and what the system does meanwhile.
/// The seed and what the windows show determine it.
package struct AppWalk: Sendable {
    /// How many steps a walk has. After that the app is far from where it began, and what differs is hard to understand.
    package static let length = 50

    private let manifest: AppManifest
    private let samples: ManifestSamples
    private let seen = SeenWindows()
    private var users: [SoakUser]
    private var random: SplitMix
    private var windows: [String] = []
    /// The events that were sent, some of which are sent again.
    private var events: [SoakCall] = []
    private var steps = 0

    /// - Parameter samples: The links and values to choose from; walks that share them meet at the same places.
    init(_ manifest: AppManifest, samples: ManifestSamples, seed: UInt64) {
        (self.manifest, self.samples) = (manifest, samples)
        random = SplitMix(seed: seed)
        let actions = AppActions(manifest, samples: samples, seen: seen)
        var seeds = random.split()
        users = (0..<2).map { number in
            SoakUser(number: number, scenes: Self.names, seed: seeds.next(), mix: [:], actions: actions)
        }
    }

    /// The windows that people open; the app names its own.
    private static let names = ["one", "two", "three"]

    /// Looks at the windows, as `Scenes.List` answers them, before the next step.
    package mutating func look(at scenes: [JSONValue]) {
        windows = scenes.compactMap { $0["id"]?.stringValue }
        seen.look(at: scenes)
    }

    /// The next step. Each event has an ID of its own, but for one that is sent again.
    package mutating func next() -> SoakCall {
        steps += 1
        guard !windows.isEmpty else { return open(Self.names[0]) }
        switch random.below(50) {
        case 0: return changeWindows()
        case 1:
            let length = random.pick([60_000, 600_000, 3_600_000, 86_400_000])
            return SoakCall(.other, WalkStep.advance, ["milliseconds": .integer(length)])
        case 2 where !events.isEmpty: return random.pick(events)
        case 3...5: return changeSession()
        default: break
        }
        let person = random.below(users.count)
        var call = users[person].next(in: windows)
        if random.below(25) == 0 { call = spoilt(call) }
        guard WalkStep.isEvent(call) else { return call }
        call = call.setting("event", to: .string("step-\(steps)"))
        events.append(call)
        return call
    }

    // MARK: - What the system does

    /// Opens a window, or closes one for good.
    private mutating func changeWindows() -> SoakCall {
        if let name = Self.names.first(where: { !windows.contains($0) }), windows.count < 2 || random.below(2) == 0 {
            return open(name)
        }
        return SoakCall(.disconnect, "io.scened.Scenes.Discard", ["scene": .string(random.pick(windows))])
    }

    private mutating func open(_ name: String) -> SoakCall {
        var parameters: JSONObject = ["scene": .string(name)]
        if manifest.configurations.count > 1 {
            parameters["configuration"] = .string(random.pick(manifest.configurations).name)
        }
        if random.below(8) == 0 { parameters["background"] = true }
        return SoakCall(.disconnect, "io.scened.Scenes.Connect", parameters)
    }

    /// Signs in or out behind the app's back, makes the sign-in stale, sets a fact, or goes to another market or locale.
    private mutating func changeSession() -> SoakCall {
        let scene: (String, JSONValue) = ("scene", .string(random.pick(windows)))
        func commit(_ fact: String, _ value: JSONValue) -> SoakCall {
            let set: JSONValue = .object(JSONObject([(fact, value)]))
            return SoakCall(.other, "io.scened.Session.Commit", JSONObject([("set", set), scene]))
        }
        switch random.below(6) {
        case 0: return SoakCall(.signout, "io.scened.Session.SignOut", JSONObject([scene]))
        case 1: return SoakCall(.signout, "io.scened.Session.MarkStale", JSONObject([scene]))
        case 2:
            let places = [("market", manifest.markets), ("locale", manifest.locales)].filter { !$0.1.isEmpty }
            guard !places.isEmpty else { break }
            let (fact, names) = random.pick(places)
            return commit(fact, .string(random.pick(names)))
        case 3...4: if let (fact, value) = samples.fact(&random) { return commit(fact, JSONValue(value)) }
        default: break
        }
        let user: (String, JSONValue) = ("user", .string("user-\(random.below(users.count))"))
        return SoakCall(.signin, "io.scened.Session.SignIn", JSONObject([user, scene]))
    }

    // MARK: - What people and apps get wrong

    /// The same call with a value that is missing, or not what the app expects.
    private mutating func spoilt(_ call: SoakCall) -> SoakCall {
        let names = call.parameters.keys.filter { $0 != "scene" }
        guard !names.isEmpty else { return call }
        let name = random.pick(Array(names))
        return call.setting(name, to: call.parameters[name].map { spoilt($0) })
    }

    private mutating func spoilt(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): return .string(random.pick(["", "nobodyKnowsThis", "-1", text + "/x", text + "0"]))
        case .integer, .number, .bool, .null: return value
        case .array(let elements): return .array(elements.dropLast())
        case .object(var members):
            guard !members.isEmpty else { return value }
            let name = random.pick(Array(members.keys))
            members[name] = random.below(2) == 0 ? nil : members[name].map { spoilt($0) }
            return .object(members)
        }
    }
}

/// The random walks of a seed through an app, each of which can be taken by itself.
package struct RandomWalks: Sendable {
    private let manifest: AppManifest
    private let samples: ManifestSamples
    private let seed: UInt64

    /// - Throws: Nothing for a manifest that has been checked.
    package init(_ manifest: AppManifest, seed: UInt64) throws(ManifestProblems) {
        self.manifest = manifest
        self.seed = seed
        samples = try ManifestSamples(manifest, seed: seed)
    }

    /// The walk of this number, from 1.
    package subscript(number: Int) -> AppWalk { AppWalk(manifest, samples: samples, seed: own(number)) }

    /// The seed of what is random in the daemons during the walk of this number, as `Control.Reset` takes it.
    package func daemonSeed(_ number: Int) -> Int { Int(own(number) >> 1) }

    private func own(_ number: Int) -> UInt64 { SplitMix.mix(seed &+ UInt64(number) &* SplitMix.golden) }
}

/// What the calls of a walk are.
package enum WalkStep {
    /// The method that lets time pass.
    package static let advance = "io.scened.Control.Advance"

    /// Whether the call sends an event.
    package static func isEvent(_ call: SoakCall) -> Bool {
        call.method.hasPrefix("io.scened.Events.") && call.method != "io.scened.Events.Get"
    }
}

extension SoakCall {
    /// The same call with another parameter; `nil` leaves it out.
    package func setting(_ name: String, to value: JSONValue?) -> SoakCall {
        var parameters = parameters
        parameters[name] = value
        return SoakCall(kind, method, parameters)
    }
}
