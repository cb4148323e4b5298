import FuzzerDriver
import Varlink

/// Any bytes as an interface file. What can be read at all reads back the same after printing, and a service of it says
/// so of itself.
private func fuzzInterface(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let interface = try? VarlinkInterface(parsing: text) else { return 0 }
    let again = try? VarlinkInterface(parsing: interface.description)
    precondition(again == interface, "an interface reads back otherwise")
    guard let service = try? VarlinkService(interface: text) else {
        preconditionFailure("what is an interface makes no service")
    }
    precondition(service.interface == interface && service.source == text, "a service tells of another interface")
    return 0
}

@main
struct FuzzInterface {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments) { fuzzInterface($0, $1) }
    }
}
