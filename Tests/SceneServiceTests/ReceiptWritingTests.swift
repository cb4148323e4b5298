import SceneNavigation
import SceneRouting
@testable import SceneRuntime
@testable import SceneService
import Basics
@testable import StrictJSON
import Testing

/// Receipts are written by hand for speed; these tests compare them with a general writer.
@Suite("Writing receipts")
struct ReceiptWritingTests {
    @Test("a receipt is written like a tree of the same values", arguments: 1...200)
    func agreesWithTree(seed: UInt64) {
        var maker = Maker(random: SplitMix(seed: seed))
        for _ in 0..<10 {
            let receipt = maker.receipt()
            var json = JSONText()
            receipt.write(to: &json)
            #expect(String(decoding: json.bytes, as: UTF8.self) == receipt.tree.text(), "seed \(seed)")
        }
    }

    private struct Maker {
        var random: SplitMix

        private static let texts = [
            "", "home", "product", "p1004", "a longer text that is on the heap", "quote \" and \\", "\u{7}\u{7F}\n\r\t",
            "é", "😀 and more", "</script>", "\u{2028}",
        ]

        mutating func text() -> String { Self.texts.randomElement(using: &random) ?? "" }

        private mutating func few<Element>(_ make: (inout Maker) -> Element) -> [Element] {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in make(&self) }
        }

        private mutating func maybe<Value>(_ make: (inout Maker) -> Value) -> Value? {
            Bool.random(using: &random) ? make(&self) : nil
        }

        private mutating func destination() -> Destination {
            let parameters = few { ($0.text(), $0.text()) }
            return Destination(id: text(), parameters: Dictionary(parameters) { first, _ in first })
        }

        private mutating func stack() -> [Destination] { few { $0.destination() } }

        private mutating func modal() -> ModalState {
            let style = ModalStyle.allCases.randomElement(using: &random) ?? .sheet
            return ModalState(flow: maybe { $0.text() }, style: style, stack: stack())
        }

        private mutating func window() -> WindowState {
            let tabs = few { TabState(id: $0.text(), stack: $0.stack()) }
            return WindowState(tabs: tabs, selectedTab: text(), modals: few { $0.modal() })
        }

        private mutating func outcome() -> Outcome {
            let outcomes: [Outcome] = [
                .admitted, .gated(precondition: text()), .applied, .unchanged, .delivered, .ignored(reason: text()),
                .rejected(reason: text()), .superseded(by: text()), .abandoned(reason: text()),
            ]
            return outcomes.randomElement(using: &random) ?? .applied
        }

        mutating func receipt() -> Receipt {
            var receipt = Receipt(
                event: text(),
                scene: maybe { $0.text() },
                choice: SceneChoice.allCases.randomElement(using: &random),
                ticket: maybe { Int.random(in: 0...Int.max, using: &$0.random) },
                outcome: outcome(),
                revision: Int.random(in: 0...9, using: &random),
                window: maybe { $0.window() }
            )
            receipt.isDuplicate = Bool.random(using: &random)
            return receipt
        }
    }
}

extension Receipt {
    /// The shape `Receipt` of the socket API.
    fileprivate var tree: JSONValue {
        var object: JSONObject = ["event": .string(event)]
        object["scene"] = scene.map(JSONValue.string)
        object["choice"] = choice.map { .string($0.rawValue) }
        object["ticket"] = ticket.map(JSONValue.integer)
        object["outcome"] = .string(outcome.name.rawValue)
        object["reason"] = outcome.reason.map(JSONValue.string)
        object["precondition"] = outcome.precondition.map(JSONValue.string)
        object["revision"] = .integer(revision)
        object["window"] = window?.json
        object["duplicate"] = .bool(isDuplicate)
        return .object(object)
    }
}
