import FuzzerDriver
import SceneManifest
import SceneRouting

/// Every door that takes a URL, with any bytes. A trap, a hang or an answer that contradicts another is a finding.
private let engines: [RoutingEngine] = {
    do {
        return [
            try RoutingEngine(manifest: AppManifest.builtInShop()), try RoutingEngine(manifest: manifestOfPatterns()),
        ]
    } catch {
        preconditionFailure("\(error)")
    }
}()

/// Routes of every shape, so that the whole of matching is reached.
private func manifestOfPatterns() -> AppManifest {
    var manifest = AppManifest(name: "Patterns", appIDs: ["A.b"], schemes: ["app"])
    manifest.tabs = [TabDeclaration(id: "home", root: "home")]
    manifest.associatedDomains = ["one.example", "*.example"].map {
        AssociatedDomain(domain: $0, association: #"{"applinks":{"details":[{"appID":"A.b","paths":["*"]}]}}"#)
    }
    let types: [(String, ParameterType)] = [
        ("text", .string), ("count", .integer(minimum: -5, maximum: 500)), ("uuid", .uuid),
        ("word", .oneOf(["a", "b"])), ("code", .pattern("[a-z]{1,4}|é+")), ("tags", .list(of: .pattern("[a-z]+"))),
    ]
    manifest.destinations = [
        DestinationDeclaration(
            id: "home",
            parameters: types.map { ParameterDeclaration(name: $0.0, type: $0.1, isRequired: false) },
            presentation: .tab("home")
        )
    ]
    manifest.routes = [
        "/a/{count}", "/a/{text}", "/a/{word}/b", "/{code}/**/{count}", "/**/z", "/m/{code}-{count}",
        "/m/{text}.{code}-x",
        "/q?text={text?}&tags={tags*}", "/q?count={count}&**", "/f#{text}", "/r/{text**}",
        "https://one.example/{uuid}/*",
        "app://{word}/{count}", "app://x/{text**}",
    ].map { RouteDeclaration(destination: "home", pattern: $0, ignoresCase: $0.contains("z")) }
    return manifest
}

private func fuzzURL(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let url = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let context = RoutingContext(user: "u", facts: ["cart": .strings(["p1"])], time: 0)
    for engine in engines {
        let match = try? engine.match(url: url, context: context)
        // The reference tries every route, which is slow, so it runs for one input in eight.
        if url.utf8.reduce(0, &+) % 8 == 0 {
            let defined = try? engine.matchByDefinition(url: url, context: context)
            precondition(match == defined, "the table and the definition differ")
        }
        _ = try? engine.resolve(url: url, context: context)
        _ = engine.association(for: url)
        if let destination = match?.request.destination {
            for printed in engine.urls(for: destination, context: context) {
                let again = try? engine.match(url: printed, context: context)
                precondition(again?.request == match?.request, "a printed URL leads elsewhere")
            }
        }
    }
    return 0
}

@main
struct FuzzURL {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments) { fuzzURL($0, $1) }
    }
}
