import FuzzerDriver
import SceneEntryPoints
import SceneManifest
import StrictJSON

private let adapters: AdapterChain = {
    do {
        return AdapterChain(manifest: try AppManifest.builtInShop())
    } catch {
        preconditionFailure("\(error)")
    }
}()

/// Any bytes as a push payload, by every way of responding to it. The first byte says which.
private func fuzzPayload(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let first = bytes.first, let payload = try? JSONValue(parsing: Array(bytes.dropFirst())) else { return 0 }
    var event: JSONObject = ["payload": payload]
    switch first % 8 {
    case 0: event["voip"] = true
    case 1: event["interaction"] = "present"
    case 2: event["interaction"] = "dismiss"
    case 3: event["action"] = "REPLY"
    case 4:
        event["interaction"] = "action"
        event["action"] = "REPLY"
        event["text"] = "é"
    default: break
    }
    if let law = EntryEventLaws.broken(by: event, as: .push, adapters: adapters) { preconditionFailure(law) }
    return 0
}

@main
struct FuzzPayload {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments) { fuzzPayload($0, $1) }
    }
}
