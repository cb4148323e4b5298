import SceneUIKit
import UIKit

final class SceneDelegate: SceneWindowDelegate {
    override class var app: SceneApp? { AppDelegate.app }

    override func sceneDidEnterBackground(_ scene: UIScene) {
        super.sceneDidEnterBackground(scene)
        let folders = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
        if let folder = folders.first { AppDelegate.keepRecords(in: folder) }
    }
}
