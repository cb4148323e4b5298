import Foundation

/// The calls that connections send: each its own, in turn.
struct WireCalls {
    let name: String
    /// The calls of all connections, one after the other, each with its NUL and all of the same length.
    let bytes: [CChar]
    let length: Int
    /// How many calls a connection sends in turn.
    let turns: CInt

    /// How many calls there are.
    var count: CInt { CInt(bytes.count / length) }
    var movesWindows: Bool { turns > 1 }

    private init(_ name: String, turns: CInt, _ calls: [String]) {
        self.name = name
        self.turns = turns
        bytes = calls.flatMap { Array($0.utf8CString) }
        length = bytes.count / calls.count
    }

    /// The name of the window of the connection with this number.
    static func name(_ window: Int) -> String { "w\(window + 10)" }

    static let reading = WireCalls("Session.Get", turns: 1, [#"{"method":"io.scened.Session.Get"}"#])

    /// Each connection moves its own window to and fro.
    ///
    /// Do not use `admitted` with more calls in flight than a mailbox holds: refused calls cost less.
    static let opening = WireCalls(
        "OpenURL settled, a window moves",
        turns: 2,
        (0..<WireLoad.connections).flatMap { window in
            ["product/p1004", "category/toys"].map { place in
                #"{"method":"io.scened.Events.OpenURL","parameters":{"url":"https://shop.example/\#(place)","#
                    + #""scene":"\#(name(window))","wait":"settled"}}"#
            }
        }
    )

    /// The same by what screens report, of which coordinators decide where it leads.
    static let reporting = WireCalls(
        "SendIntent settled, a window moves",
        turns: 2,
        (0..<WireLoad.connections).flatMap { window in
            [#""productSelected","parameters":{"id":"p100400"}"#, #""categorySelected","parameters":{"slug":"toys"}"#]
                .map {
                    #"{"method":"io.scened.Events.SendIntent","parameters":{"name":\#($0),"#
                        + #""scene":"\#(name(window))","wait":"settled"}}"#
                }
        }
    )

    /// Makes the next call of the first connection.
    func reply(to call: Int, from descriptor: CInt) throws -> String {
        let start = call % Int(turns) * length
        let sent = bytes[start..<(start + length)].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard sent == length else { throw Failure.call(name) }
        var reply: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while reply.last != 0 {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw Failure.call(name) }
            reply += buffer[..<count]
        }
        return String(decoding: reply.dropLast(), as: UTF8.self)
    }
}
