import FuzzerDriver
import Varlink

/// Any bytes as a call and as a reply. What can be read at all reads back the same after writing.
private func fuzzWire(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let call = try? VarlinkCall(parsing: bytes.span) {
        let again = try? VarlinkCall(parsing: Array(call.encoded().dropLast()).span)
        precondition(again == call, "a call reads back otherwise")
    }
    if let reply = try? VarlinkReply(parsing: bytes.span) {
        let again = try? VarlinkReply(parsing: Array(reply.encoded().dropLast()).span)
        precondition(again == reply, "a reply reads back otherwise")
    }
    return 0
}

@main
struct FuzzWire {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments) { fuzzWire($0, $1) }
    }
}
