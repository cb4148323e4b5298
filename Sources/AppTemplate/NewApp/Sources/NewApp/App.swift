public import SceneEntryPoints
public import SceneRuntime

/// The app: its manifest, and what the manifest leaves to code. The daemon and the tests take it from here, as the app does.
public enum App {
    /// The manifest, as YAML.
    public static let manifest = String(decoding: PackageResources.NewApp_yaml, as: UTF8.self)

    /// The coordinators, by the flows that they are for; every other flow follows the manifest.
    public static func code(
        accounts: any Accounts = SampleAccounts(),
        offers: any Offers = SampleOffers()
    ) -> AppCode {
        AppCode(
            coordinators: [
                Routes.Flow.root.rawValue: { OffersCoordinator(offers: offers) },
                Routes.LoginFlow.name: { LoginCoordinator(accounts: accounts) },
            ],
            routes: Routes.written
        )
    }

    /// What turns events into destinations, besides the links that the manifest declares.
    public static let adapters: [any EntryPointAdapter] = [OfferPushAdapter()]
}
