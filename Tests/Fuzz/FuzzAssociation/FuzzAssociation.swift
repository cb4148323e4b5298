import FuzzerDriver
import SceneRouting

/// Any bytes as an association file; what stands before the first NUL is the URL that it decides about.
private func fuzzAssociation(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let cut = bytes.firstIndex(of: 0) ?? bytes.startIndex
    let url = "https://example.com/" + String(decoding: bytes[..<cut], as: UTF8.self)
    let text = String(decoding: bytes[cut...].drop { $0 == 0 }, as: UTF8.self)
    _ = AssociationFile.lint(text)
    guard let file = try? AssociationFile(parsing: text) else { return 0 }
    _ = file.decide(url: url, appID: "A.b", domain: "example.com")
    return 0
}

@main
struct FuzzAssociation {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments) { fuzzAssociation($0, $1) }
    }
}
