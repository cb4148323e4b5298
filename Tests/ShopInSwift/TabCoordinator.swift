internal import SceneNavigation

/// Home, orders and account: their screens report nothing that is theirs alone, so everything goes on to the root.
final class TabCoordinator: FlowCoordinator {}
