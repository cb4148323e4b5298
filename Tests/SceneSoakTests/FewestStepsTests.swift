import Basics
import Testing

@testable import SceneSoak

@Suite("FewestSteps")
struct FewestStepsTests {
    /// Something that shows when steps are taken, as long as these are among them, in this order.
    private static func shows(_ needed: [Int]) -> ([Int]) -> Int? {
        { steps in
            var rest = needed[...]
            for (index, step) in steps.enumerated() {
                if step == rest.first { rest.removeFirst() }
                if rest.isEmpty { return index + 1 }
            }
            return rest.isEmpty ? 0 : nil
        }
    }

    @Test("are those that are needed, and no others", arguments: UInt64(1)...40)
    func needed(seed: UInt64) async {
        var random = SplitMix(seed: seed)
        let all = Array(0..<(1 + random.below(200)))
        let count = random.below(min(8, all.count + 1))
        let needed = Array(all.shuffled(using: &random).prefix(count)).sorted()
        let fewest = await FewestSteps(of: all) { Self.shows(needed)($0) }
        #expect(fewest.steps == needed)
        // Each round of one size tries each part once more than it leaves out any.
        #expect(fewest.tries <= 20 * (needed.count + 1) * 8, "\(fewest.tries) of \(all.count)")
    }

    @Test("still show it, and not without any one of them, whatever shows it", arguments: UInt64(1)...40)
    func minimal(seed: UInt64) async {
        var random = SplitMix(seed: seed)
        let all = (0..<60).map { _ in random.below(10) }
        let (modulus, rest) = (random.below(5) + 2, random.below(2))
        // It shows as soon as a sum is reached, which other steps than those of the beginning can do, too.
        let shows: ([Int]) -> Int? = { steps in
            var sum = 0
            for (index, step) in steps.enumerated() {
                sum += step
                if sum > 20, sum % modulus == rest % modulus { return index + 1 }
            }
            return nil
        }
        guard let first = shows(all) else { return }
        let fewest = await FewestSteps(of: Array(all.prefix(first))) { shows($0) }
        #expect(shows(fewest.steps) == fewest.steps.count)
        for index in fewest.steps.indices {
            var fewer = fewest.steps
            fewer.remove(at: index)
            #expect(shows(fewer) == nil, "\(fewest.steps) without \(index)")
        }
    }

    @Test("do without a step that only others needed which were left out, however long the chain", arguments: 1...24)
    func chains(length: Int) async {
        // Each step but the last needs the one before it.
        let fewest = await FewestSteps(of: Array(0...length)) { steps in
            let isWhole = steps.allSatisfy { $0 == 0 || $0 == length || steps.contains($0 - 1) }
            return isWhole && steps.last == length ? steps.count : nil
        }
        #expect(fewest.steps == [length])
    }

    @Test("are none if it shows before any")
    func none() async {
        let fewest = await FewestSteps(of: [1, 2, 3]) { _ in 0 }
        #expect(fewest.steps == [] && fewest.tries == 1)
        #expect(await FewestSteps(of: [Int]()) { _ in 0 }.steps == [])
    }

    @Test("are what is left when somebody ends the search")
    func ended() async {
        var asked = 0
        let fewest = await FewestSteps(of: Array(0..<100)) {
            asked += 1
            return asked > 3
        } shows: {
            Self.shows([99])($0)
        }
        #expect(fewest.tries == 3)
        #expect(fewest.steps.count < 100 && fewest.steps.last == 99)
    }
}
