/// The package that `scenectl app new` writes. It is a package itself, named ``name``, so that it is compiled and tested as it
/// stands.
package enum AppTemplate {
    /// A file of the package.
    package struct File: Hashable, Sendable {
        /// Its path in the package.
        package let path: String
        /// What it says.
        package let text: String

        /// A file with this text.
        package init(path: String, text: String) {
            (self.path, self.text) = (path, text)
        }

        fileprivate init(_ path: String, _ bytes: [UInt8]) {
            self.init(path: path, text: String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The name that stands in all files and paths for that of the new package. In lower case it stands for its URL scheme.
    package static let name = "NewApp"

    /// The files in the order in which a person reads them.
    package static let files = [
        File("README.md", PackageResources.README_md),
        File("Package.swift", PackageResources.Package_swift),
        File("Sources/NewApp/NewApp.yaml", PackageResources.NewApp_yaml),
        File("Sources/NewApp/Routes.swift", PackageResources.Routes_swift),
        File("Sources/NewApp/App.swift", PackageResources.App_swift),
        File("Sources/NewApp/LoginCoordinator.swift", PackageResources.LoginCoordinator_swift),
        File("Sources/NewApp/OffersCoordinator.swift", PackageResources.OffersCoordinator_swift),
        File("Sources/NewApp/OfferPushAdapter.swift", PackageResources.OfferPushAdapter_swift),
        File("Sources/NewApp/Repositories.swift", PackageResources.Repositories_swift),
        File("Sources/newapp-scened/NewAppDaemon.swift", PackageResources.NewAppDaemon_swift),
        File("Tests/NewAppTests/CoordinatorTests.swift", PackageResources.CoordinatorTests_swift),
        File("Tests/NewAppTests/OfferPushAdapterTests.swift", PackageResources.OfferPushAdapterTests_swift),
        File("Tests/NewAppTests/RaceTests.swift", PackageResources.RaceTests_swift),
        File("Tests/Scenarios/both-take-an-offer.yaml", PackageResources.both_take_an_offer_yaml),
        File("Tests/Python/test_newapp.py", PackageResources.test_newapp_py),
        File("pytest.ini", PackageResources.pytest_ini),
        File("check.sh", PackageResources.check_sh),
        File("Containerfile", PackageResources.Containerfile),
        // SwiftPM embeds nothing whose name begins with a dot.
        File(".github/workflows/check.yml", PackageResources.check_yml),
        File(".gitignore", PackageResources.gitignore),
    ]
}
