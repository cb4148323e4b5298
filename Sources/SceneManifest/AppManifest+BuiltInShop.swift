public import SceneRouting

extension AppManifest {
    /// The built-in app's manifest as YAML: `Resources/shop.yaml`.
    public static let builtInShopText = String(decoding: PackageResources.shop_yaml, as: UTF8.self)

    /// The app that runs when no other is named.
    /// - Throws: never, for the text is fixed and a test reads it; an edit that breaks it shows there.
    public static func builtInShop() throws(ManifestProblems) -> AppManifest {
        try read(builtInShopText, file: "shop.yaml").manifest
    }
}
