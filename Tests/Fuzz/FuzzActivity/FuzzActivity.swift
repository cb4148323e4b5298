import FuzzerDriver
import SceneEntryPoints
import SceneManifest
import SceneRouting
import StrictJSON

private let adapters: AdapterChain = {
    do {
        return AdapterChain(manifest: try AppManifest.builtInShop())
    } catch {
        preconditionFailure("\(error)")
    }
}()

/// Reads any bytes as an activity, a tap on a widget, a quick action, a URL, or a set of URLs; the first byte says which.
private func fuzzActivity(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let first = bytes.first, case .object(let json)? = try? JSONValue(parsing: Array(bytes.dropFirst())) else {
        return 0
    }
    if first == UInt8(ascii: "s") {
        if let law = EntryEventLaws.broken(byURLsOf: json, adapters: adapters) { preconditionFailure(law) }
        return 0
    }
    let kinds: [EntryKind] = [.activity, .activity, .activity, .widget, .shortcut, .url]
    if let law = EntryEventLaws.broken(by: json, as: kinds[Int(first) % kinds.count], adapters: adapters) {
        preconditionFailure(law)
    }
    return 0
}

@main
struct FuzzActivity {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments) { fuzzActivity($0, $1) }
    }
}
