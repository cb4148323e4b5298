#if canImport(UIKit) && !os(watchOS)
    internal import SceneRuntime
    internal import StrictJSON

    /// What came to the app, as the calls that would bring a daemon the same: what `scenectl play` plays.
    ///
    /// The newest are kept.
    @MainActor
    final class AppScript {
        struct Input {
            let time: Duration
            let call: String
            let parameters: JSONObject
            /// The events that it was admitted as; of a set in the order given.
            let events: [String]
            let number: Int
        }

        /// How many calls are kept.
        static let limit = 10_000

        private(set) var inputs: [Input] = []
        private var count = 0

        /// - Returns: Its number, by which it can be taken back.
        @discardableResult
        func note(_ call: String, _ parameters: JSONObject, at time: Duration, events: [String] = []) -> Int {
            count += 1
            inputs.append(Input(time: time, call: call, parameters: parameters, events: events, number: count))
            if inputs.count > 2 * Self.limit { inputs.removeFirst(inputs.count - Self.limit) }
            return count
        }

        /// Takes a call back that has turned out to do nothing.
        func takeBack(_ number: Int) { inputs.removeAll { $0.number == number } }

        /// One step a line, each event with what has come of it.
        func text(of host: SceneHost) -> String {
            let inputs = self.inputs.suffix(Self.limit)
            let start = inputs.first?.time ?? .zero
            var lines = ""
            for (place, input) in inputs.enumerated() {
                var step: JSONObject = [:]
                if place == 0 { step["manifest"] = .string(host.manifestDigest) }
                step["at"] = .integer(Int((input.time - start) / .milliseconds(1)))
                step["call"] = .string(input.call)
                step["parameters"] = .object(input.parameters)
                let receipts = input.events.compactMap { host.receipt(event: $0)?.expectation }
                if receipts.count == input.events.count, !receipts.isEmpty {
                    step["expect"] = .object(
                        receipts.count == 1
                            ? ["receipt": .object(receipts[0])] : ["receipts": .array(receipts.map(JSONValue.object))]
                    )
                }
                lines += JSONValue.object(step).text() + "\n"
            }
            return lines
        }
    }

    extension Receipt {
        /// What another run has to come to. An event that has not ended yet is expected nothing of.
        fileprivate var expectation: JSONObject? {
            var object: JSONObject = ["outcome": .string(outcome.name.rawValue)]
            if case .admitted = outcome { return nil }
            object["scene"] = scene.map(JSONValue.string)
            return object
        }
    }
#endif
