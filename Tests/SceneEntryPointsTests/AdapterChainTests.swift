import SceneEntryPoints
import SceneRouting
import Testing

@Suite("Asking adapters in turn")
struct AdapterChainTests {
    @Test("an opened URL needs no declaration and keeps universal links apart")
    func opensURLs() throws {
        let chain = AdapterChain(manifest: AppManifest(name: "Empty"))
        #expect(try chain.adapt(.url("qcommerce://cart")).request == .url("qcommerce://cart"))
        #expect(
            try chain.adapt(.url("https://shop.example/cart")).request == .universalLink("https://shop.example/cart")
        )
    }
}
