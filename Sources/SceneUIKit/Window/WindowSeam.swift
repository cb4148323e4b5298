#if canImport(UIKit) && !os(watchOS)
    internal import SceneNavigation

    /// The runtime's side of a window: hands on what the runtime decides. UIKit is asked in a later turn of the main actor, because
    /// the runtime may hold locks here, and what UIKit calls back may report something.
    final class WindowSeam: NavigationSeam {
        private let driver: Carried<WindowDriver>

        init(_ driver: WindowDriver) { self.driver = Carried(value: driver) }

        private func tell(_ body: @MainActor (WindowDriver) -> Void) {
            let driver = self.driver
            withoutActuallyEscaping(body) { body in
                let body = Carried(value: body)
                MainActor.assumeIsolated { body.value(driver.value) }
            }
        }

        func open(_ window: WindowState, screens: WindowScreens) throws {
            let screens = Carried(value: screens)
            tell { $0.open(window, screens.value) }
        }

        func begin(_ step: NavigationStep) throws {
            let step = Carried(value: step)
            tell { $0.begin(step.value) }
        }

        func beginCancelled() { tell { $0.beginCancelled() } }

        func end() { tell { $0.end() } }

        var isSettled: Bool {
            let driver = self.driver
            return MainActor.assumeIsolated { driver.value.isSettled }
        }

        func close() { tell { $0.close() } }

        func responder(of container: FlowPlace.Container, in window: WindowState) -> (any IntentResponder)? {
            let driver = self.driver
            return MainActor.assumeIsolated { Carried(value: driver.value.responder(of: container)) }.value
        }
    }

    /// The seam of a window that shows nothing.
    final class NoSeam: NavigationSeam {
        func open(_ window: WindowState, screens: WindowScreens) throws {}
        func begin(_ step: NavigationStep) throws {}
        func close() {}
    }
#endif
