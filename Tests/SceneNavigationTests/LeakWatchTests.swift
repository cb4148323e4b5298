import SceneNavigation
import SceneRouting
import Testing

@Suite("The leak watch")
struct LeakWatchTests {
    private final class Holder {
        var list: [AnyObject] = []
        var byName: [String: AnyObject] = [:]
        var inner: Holder?
        var closure: (() -> AnyObject)?
        struct Box { var thing: AnyObject? }
        var box = Box()
    }

    private class Base { var kept: AnyObject? }
    private final class Derived: Base {}

    private func leaks(_ object: AnyObject, _ holders: [(name: String, object: AnyObject)]) -> [LeakWatch.Leak] {
        var watch = LeakWatch()
        watch.expectGone(object, "screen cart")
        return watch.check(isShown: { _ in false }, holders: { holders })
    }

    @Test("an object that is gone is not a leak")
    func gone() {
        var watch = LeakWatch()
        var object: AnyObject? = TestScreen(place("cart"), "home")
        if let object { watch.expectGone(object, "screen cart") }
        object = nil
        #expect(watch.check(isShown: { _ in false }, holders: { [] }).isEmpty)
    }

    @Test("an object that still exists is named once, with its type and the path to it")
    func named() {
        let screen = TestScreen(place("cart"), "home")
        let factory = Holder()
        factory.list = [Holder(), screen]
        var watch = LeakWatch()
        watch.expectGone(screen, "screen cart")
        let found = watch.check(isShown: { _ in false }, holders: { [("the factory", factory)] })
        #expect(found.map(\.description) == ["screen cart (TestScreen) is still held by the factory.list[1]"])
        #expect(watch.check(isShown: { _ in false }, holders: { [] }).isEmpty)
    }

    @Test("an object that is shown again is not a leak")
    func shownAgain() {
        let screen = TestScreen(place("cart"), "home")
        var watch = LeakWatch()
        watch.expectGone(screen, "screen cart")
        #expect(watch.check(isShown: { $0 === screen }, holders: { [] }).isEmpty)
    }

    @Test("paths go through properties, optionals, values, collections and inheritance")
    func ways() {
        let screen = TestScreen(place("cart"), "home")
        let holder = Holder()
        holder.inner = Holder()
        holder.inner?.box.thing = screen
        #expect(leaks(screen, [("the seam", holder)]).first?.holders == ["the seam.inner.box.thing"])
        holder.inner = nil
        holder.byName = ["cart": screen]
        #expect(leaks(screen, [("the seam", holder)]).first?.holders == ["the seam.byName[0]"])
        let derived = Derived()
        derived.kept = screen
        #expect(leaks(screen, [("a", derived), ("b", Holder())]).first?.holders == ["a.kept"])
    }

    @Test("a keeper of everything is named only if no nearer holder is found")
    func keepers() {
        let screen = TestScreen(place("cart"), "home")
        let (near, far) = (Holder(), Holder())
        (near.inner, far.inner) = (Holder(), near)
        for kept in [false, true] {
            near.list = kept ? [screen] : []
            far.list = [screen]
            var watch = LeakWatch()
            watch.expectGone(screen, "screen cart")
            let found = watch.check(
                isShown: { _ in false },
                holders: { [("the factory", near)] },
                keepers: { [("the containers", far)] }
            )
            #expect(found.first?.holders == [kept ? "the factory.list[0]" : "the containers.list[0]"])
        }
    }

    @Test("a holder that cannot be seen is reported as unknown; cycles of references do no harm")
    func unknown() {
        let screen = TestScreen(place("cart"), "home")
        screen.other = screen
        defer { screen.other = nil }
        let holder = Holder()
        holder.closure = { screen }
        holder.inner = holder
        defer { holder.inner = nil }
        #expect(
            leaks(screen, [("the seam", holder)]).map(\.description)
                == ["screen cart (TestScreen) is still held by something that the runtime does not know"]
        )
    }
}
