import SceneUIKit
import SceneVocabulary
import UIKit

final class ShopScreens: SceneScreenFactory {
    private let window: WindowHandle

    init(_ window: WindowHandle) { self.window = window }

    func makeScreen(for destination: Destination, flow: String) throws -> UIViewController {
        switch destination.id {
        case "product": ProductController(destination.parameters["id"] ?? "", window)
        default: PlainController(title: destination.id)
        }
    }

    func update(_ screen: UIViewController, to destination: Destination) throws {
        (screen as? ProductController)?.show(destination.parameters["id"] ?? "")
    }
}
