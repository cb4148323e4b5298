import UIKit

/// What the app had before, with stacks and presentations of its own, as the only screen of a tab.
final class OldController: UIViewController {
    private let old: UIViewController

    init(_ old: UIViewController) {
        self.old = old
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        addChild(old)
        old.view.frame = view.bounds
        old.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(old.view)
        old.didMove(toParent: self)
    }
}
