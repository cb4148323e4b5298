import Foundation
import Basics
import Testing

@testable import SceneSoak

/// Samples every ten seconds, from a seed.
private struct Samples {
    var random: SplitMix
    var values: [Double] = []

    init(seed: UInt64, hours: Double = 2, _ value: (Double, inout SplitMix) -> Double) {
        random = SplitMix(seed: seed)
        for index in 0..<Int(hours * 360) { values.append(value(Double(index) / 360, &random)) }
    }

    /// The share of each sample's noise that carries over to the next.
    func smoothed(_ share: Double) -> Samples {
        var samples = self
        for index in values.indices.dropFirst() {
            samples.values[index] = share * samples.values[index - 1] + (1 - share) * values[index]
        }
        return samples
    }

    var timed: [(time: Duration, value: Double)] {
        values.enumerated().map { (time: .seconds($0 * 10), value: $1) }
    }

    func trend(_ subject: SoakTrend.Subject = .resident) -> SoakTrend {
        SoakTrend(subject, host: "h", samples: timed)
    }
}

private let mebibyte = 1_048_576.0

extension SplitMix {
    /// A value from the normal distribution, after Box and Muller.
    fileprivate mutating func normal() -> Double {
        let one = Double.random(in: .leastNonzeroMagnitude...1, using: &self)
        let two = Double.random(in: 0...1, using: &self)
        return (-2 * log(one)).squareRoot() * cos(2 * .pi * two)
    }
}

@Suite("A trend")
struct TrendTests {
    @Test("is not seen in noise, whether neighbours are correlated or not", arguments: [0, 0.5, 0.9, 0.97])
    func noise(likeness: Double) {
        let seeds = 300
        var certain = 0
        var growing = 0
        for seed in 1...UInt64(seeds) {
            let trend = Samples(seed: seed) { _, random in 40 * mebibyte + 8 * mebibyte * random.normal() }
                .smoothed(likeness).trend()
            if let line = trend.line, line.chance < SoakTrend.certainty { certain += 1 }
            if trend.state == .growing { growing += 1 }
        }
        #expect(certain <= seeds * 4 / 100, "\(certain) of \(seeds) are found certain")
        #expect(growing <= seeds * 3 / 100, "\(growing) of \(seeds) are found growing")
    }

    @Test(
        "is seen if memory leaks slowly under noise, and the true slope is within its margin",
        arguments: [1.0, 4, 40]
    )
    func leak(perHour: Double) {
        var growing = 0
        var covered = 0
        for seed in 1...UInt64(50) {
            let trend = Samples(seed: seed) { hour, random in
                (40 + perHour * hour) * mebibyte + 0.5 * mebibyte * random.normal()
            }.smoothed(0.5).trend()
            if trend.state == .growing { growing += 1 }
            if let line = trend.line, line.low <= perHour * mebibyte, perHour * mebibyte <= line.high { covered += 1 }
        }
        #expect(growing >= 48, "\(growing) of 50")
        #expect(covered >= 43, "\(covered) of 50")
    }

    @Test("is one step if a fault causes one, wherever it is", arguments: [0.25, 0.5, 1, 1.5, 1.8])
    func step(hour: Double) throws {
        for seed in 1...UInt64(20) {
            let trend = Samples(seed: seed) { now, random in
                (now < hour ? 40 : 48) * mebibyte + 0.3 * mebibyte * random.normal()
            }.trend()
            guard case .stepped(let time, let height) = trend.state else {
                Issue.record("seed \(seed): \(trend.state)")
                continue
            }
            #expect(abs(time.seconds / 3600 - hour) < 0.05)
            #expect(abs(height - 8 * mebibyte) < mebibyte)
        }
    }

    @Test("is a leak despite a step, if something grows besides")
    func leakWithStep() {
        let trend = Samples(seed: 7) { hour, random in
            ((hour < 1 ? 40 : 60) + 3 * hour) * mebibyte + 0.3 * mebibyte * random.normal()
        }.trend()
        #expect(trend.state == .growing)
    }

    @Test("is not seen in the sawtooth of a garbage collector", arguments: [0.05, 0.11, 0.23])
    func sawtooth(period: Double) {
        for seed in 1...UInt64(20) {
            let trend = Samples(seed: seed) { hour, random in
                let tooth = hour.truncatingRemainder(dividingBy: period) / period
                return (40 + 10 * tooth) * mebibyte + 0.3 * mebibyte * random.normal()
            }.trend()
            #expect(trend.state == .steady || trend.state == .slight, "seed \(seed): \(trend.state)")
        }
    }

    @Test("has settled if a warm-up has levelled off")
    func settling() {
        var settled = 0
        for seed in 1...UInt64(20) {
            let curve = Samples(seed: seed) { hour, random in
                (40 - 8 * exp(-hour / 0.25)) * mebibyte + 0.1 * mebibyte * random.normal()
            }.trend()
            #expect(curve.state == .settled || curve.state == .steady)
            let ramp = Samples(seed: seed) { hour, random in
                (40 + 8 * min(hour, 1.1)) * mebibyte + 2 * mebibyte * random.normal()
            }.trend()
            #expect(ramp.state != .falling)
            if ramp.state == .settled { settled += 1 }
        }
        #expect(settled >= 14, "\(settled) of 20")
    }

    @Test("is seen if memory grows in pieces: a stair of many steps is a leak", arguments: [6.0, 12, 24])
    func stair(steps: Double) {
        for seed in 1...UInt64(10) {
            let trend = Samples(seed: seed) { hour, random in
                (40 + (hour / 2 * steps).rounded(.down)) * mebibyte + 0.1 * mebibyte * random.normal()
            }.trend()
            #expect(trend.state == .growing, "seed \(seed): \(trend.state), \(trend.figures ?? "")")
        }
    }

    @Test("does not matter if it is certain but tiny")
    func slight() {
        let trend = Samples(seed: 5) { hour, random in (40 + 0.1 * hour) * mebibyte + 1024 * random.normal() }.trend()
        #expect(trend.state == .slight)
        #expect((trend.line?.chance ?? 1) < 0.001)
    }

    @Test("is found in whole numbers too: descriptors that leak one by one")
    func descriptors() {
        let leaking = Samples(seed: 1) { hour, _ in 64 + (3 * hour).rounded(.down) }.trend(.descriptors)
        #expect(leaking.state == .growing)
        let waving = Samples(seed: 1) { _, random in 64 + Double(random.below(4)) }.trend(.descriptors)
        #expect(waving.state == .steady)
        let still = Samples(seed: 1) { _, _ in 64 }.trend(.descriptors)
        #expect(still.state == .steady && still.line?.perHour == 0 && still.line?.chance == 1)
    }

    @Test("falls if something is given back")
    func falling() {
        let trend = Samples(seed: 1) { hour, random in (40 - 4 * hour) * mebibyte + 1024 * random.normal() }.trend()
        #expect(trend.state == .falling)
    }

    @Test("is unknown for too few samples or too short a time, and says how many are needed")
    func tooFew() {
        for hours in [0.0, 0.02, 0.1] {
            let trend = Samples(seed: 1, hours: hours) { hour, _ in 40 + 1000 * hour }.trend()
            guard case .unknown(let reason) = trend.state else {
                Issue.record("\(trend.state)")
                continue
            }
            #expect(trend.line == nil)
            #expect(hours == 0 ? reason == "there are no samples" : reason.hasSuffix("30 over 10 min are needed"))
        }
    }

    @Test("has the slope and p-value of Theil–Sen and Mann–Kendall, calculated by hand")
    func byHand() throws {
        // Pairs: 9 rise, 1 falls; slopes of the ten: -1 1 1 1 1 3/2 5/3 2 3 3 → median 5/4.
        let line = try #require(TrendLine(hours: [0, 1, 2, 3, 4], values: [1, 2, 5, 4, 7]))
        #expect(abs(line.perHour - 1.25) < 1e-9)
        // S = 8, Var = 5·4·15/18 = 16.67, z = 7/4.08 = 1.715, p = 0.0864.
        #expect(abs(line.chance - 0.0864) < 0.0005)
        #expect(line.low <= line.perHour && line.perHour <= line.high)
    }
}
