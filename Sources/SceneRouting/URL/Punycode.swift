/// The encoder of Punycode, RFC 3492 section 6.3.
enum Punycode {
    /// The encoded label without its `xn--`, or `nil` for more than 256 scalars.
    static func encode(_ scalars: [UInt32]) -> String? {
        guard scalars.count <= 256 else { return nil }
        var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
        let basic = output.count
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var next: UInt32 = 0x80
        var delta = 0
        var bias = 72
        var handled = basic
        while handled < scalars.count {
            guard let smallest = scalars.filter({ $0 >= next }).min() else { return nil }
            // At most 0x10FFFF times 257, far from overflow.
            delta += Int(smallest - next) * (handled + 1)
            next = smallest
            for scalar in scalars {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                appendVariableLength(delta, bias: bias, to: &output)
                bias = adapt(delta, count: handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func appendVariableLength(_ delta: Int, bias: Int, to output: inout [UInt8]) {
        var quotient = delta
        var k = 36
        while true {
            let threshold = min(max(k - bias, 1), 26)
            if quotient < threshold { break }
            output.append(digit(threshold + (quotient - threshold) % (36 - threshold)))
            quotient = (quotient - threshold) / (36 - threshold)
            k += 36
        }
        output.append(digit(quotient))
    }

    private static func digit(_ value: Int) -> UInt8 {
        value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "0") + UInt8(value - 26)
    }

    private static func adapt(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var k = 0
        while delta > 455 {
            delta /= 35
            k += 36
        }
        return k + 36 * delta / (delta + 38)
    }
}
