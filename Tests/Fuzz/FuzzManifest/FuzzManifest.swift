import FuzzerDriver
import SceneManifest
import SceneRouting

/// Any bytes as a manifest: problems or an engine, nothing else.
private func fuzzManifest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let read = try? AppManifest.read(text, file: "fuzz") else { return 0 }
    // A manifest that was checked has to compile.
    guard let engine = try? RoutingEngine(manifest: read.manifest) else {
        preconditionFailure("a checked manifest does not compile")
    }
    _ = try? engine.resolve(url: "https://shop.example/a/b?c=d", context: RoutingContext())
    return 0
}

@main
struct FuzzManifest {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments) { fuzzManifest($0, $1) }
    }
}
