import SceneUIKit
import SceneVocabulary
import UIKit

final class MixedScreens: SceneScreenFactory {
    private let screens: ShopScreens

    init(_ window: WindowHandle) { screens = ShopScreens(window) }

    func makeScreen(for destination: Destination, flow: String) throws -> UIViewController {
        switch destination.id {
        case "account": OldController(UINavigationController(rootViewController: PlainController(title: "Account")))
        default: try screens.makeScreen(for: destination, flow: flow)
        }
    }

    func update(_ screen: UIViewController, to destination: Destination) throws {
        try screens.update(screen, to: destination)
    }

    func makeStack(forTab tab: String) -> UINavigationController {
        let stack = UINavigationController()
        // Of that tab the old stack has a bar.
        stack.isNavigationBarHidden = tab == "account"
        return stack
    }
}
