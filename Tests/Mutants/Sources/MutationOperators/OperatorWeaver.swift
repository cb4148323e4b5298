/// Writes mutants into a source, each behind a switch that is read when the program starts.
public enum OperatorWeaver {
    /// The environment variable with the number of the mutant to switch on.
    public static let variable = "MUTANT_OPERATOR"

    /// The source with the mutants in it, on the same lines.
    /// - Parameter mutants: Mutants of this source, each with its number, from 1.
    public static func woven(_ source: String, _ mutants: [(number: Int, mutant: OperatorMutant)], module: String)
        -> String
    {
        var insertions: [(insertion: OperatorMutant.Insertion, order: Int, text: String)] = []
        for (order, (number, mutant)) in mutants.enumerated() {
            for insertion in mutant.insertions {
                let text = insertion.text.split(separator: OperatorMutant.placeholder, omittingEmptySubsequences: false)
                    .joined(separator: "\(module)Operator.isOn(\(number))")
                insertions.append((insertion, order, text))
            }
        }
        // At one place what ends comes before what begins; the shorter ends first, the longer begins first, and of two that are
        // equally long the one that began last ends first.
        insertions.sort { one, other in
            if one.insertion.place != other.insertion.place { return one.insertion.place < other.insertion.place }
            switch (one.insertion.side, other.insertion.side) {
            case (.after, .before): return true
            case (.before, .after): return false
            case (.after(let first), .after(let second)):
                return first == second ? one.order > other.order : first < second
            case (.before(let first), .before(let second)):
                return first == second ? one.order < other.order : first > second
            }
        }
        var woven: [UInt8] = []
        let bytes = Array(source.utf8)
        var place = 0
        for (insertion, _, text) in insertions {
            woven += bytes[place..<insertion.place]
            place = insertion.place
            woven += Array(text.utf8)
        }
        woven += bytes[place...]
        return String(decoding: woven, as: UTF8.self)
    }

    /// The source of the switches of a module.
    public static func switches(of module: String) -> String {
        """
        internal import Glibc

        /// The mistake that this process makes.
        enum \(module)Operator {
            private static let number = getenv("\(variable)").flatMap { Int32(String(cString: $0)) } ?? 0

            static func isOn(_ number: Int32) -> Bool { number == Self.number }
        }

        """
    }
}
