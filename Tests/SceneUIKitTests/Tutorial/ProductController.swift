import SceneNavigation
import SceneUIKit
import UIKit

final class ProductController: UIViewController {
    private let window: WindowHandle

    init(_ product: String, _ window: WindowHandle) {
        self.window = window
        super.init(nibName: nil, bundle: nil)
        show(product)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func show(_ product: String) { title = "Product \(product)" }

    func signUpTapped() {
        do {
            try window.report(Intent(name: "signUpRequested"))
        } catch {
            print("refused: \(error)")
        }
    }
}
