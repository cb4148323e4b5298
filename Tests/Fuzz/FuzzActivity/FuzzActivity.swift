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

/// Any bytes as an activity, a widget's tap, a quick action or a URL, and as connection options. The first byte says which.
private func fuzzActivity(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let first = bytes.first, case .object(let json)? = try? JSONValue(parsing: Array(bytes.dropFirst())) else {
        return 0
    }
    let kinds: [EntryKind] = [.activity, .activity, .activity, .widget, .shortcut, .url]
    guard first % 8 < kinds.count else {
        if let options = try? ConnectionOptions(json), (try? ConnectionOptions(options.json)) != options {
            preconditionFailure("connection options do not survive being written")
        }
        return 0
    }
    if let law = EntryEventLaws.broken(by: json, as: kinds[Int(first % 8)], adapters: adapters) {
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
