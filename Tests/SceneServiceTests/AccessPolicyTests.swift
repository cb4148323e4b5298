import SceneManifest
import SceneRouting
import SceneRuntime
import SceneService
import StrictJSON
import Testing
import Varlink

@Suite("Who may do what")
struct AccessPolicyTests {
    private static let scened: UInt32 = 990
    private static let policy = AccessPolicy(
        ownUser: 501,
        users: [700: [.observe], 701: [.control]],
        groups: [scened: [.observe, .inject, .act, .mutate]]
    )

    private func peer(_ user: UInt32, group: UInt32 = 100, _ groups: [UInt32] = []) -> VarlinkPeer {
        VarlinkPeer(userID: user, groupID: group, processID: 1, groups: groups)
    }

    private func roles(_ peer: VarlinkPeer) -> Set<Role> {
        Set(Self.policy.roles(of: peer))
    }

    private func interfaces() throws -> [VarlinkInterface] {
        let host = try SceneHost(id: "test", manifest: try AppManifest.builtInShop())
        return try SocketAPI.services(RunningHost(host) { old, _ in old }, controls: .forTests()).map(\.interface)
    }

    @Test("every method of the interfaces has exactly one role, and every role's method exists")
    func tableIsComplete() throws {
        let methods = try interfaces().flatMap { interface in interface.methodNames.map { "\(interface.name).\($0)" } }
        let table = MethodRoles.table.map(\.method)
        #expect(Set(methods).subtracting(table).isEmpty, "a new method needs its line in MethodRoles")
        #expect(Set(table).subtracting(methods).isEmpty, "no interface has these any more")
        #expect(table.count == Set(table).count, "a method stands there twice")
    }

    @Test("root and the daemon's own user may do everything", arguments: [UInt32(0), 501])
    func everything(user: UInt32) {
        #expect(roles(peer(user)) == Set(Role.allCases))
    }

    @Test("a user has the roles given to it and to its groups, primary or not")
    func granted() {
        let group = Self.scened
        #expect(roles(peer(700)) == [.observe])
        #expect(roles(peer(701, [group])) == [.observe, .inject, .act, .mutate, .control])
        #expect(roles(peer(1000, [7, group])) == [.observe, .inject, .act, .mutate])
        #expect(roles(peer(1000, group: group)) == [.observe, .inject, .act, .mutate])
    }

    @Test("other users have no role, even if a user's number is that of a group with roles")
    func others() {
        #expect(roles(peer(1000, [7, 8])).isEmpty)
        #expect(roles(peer(65_534, group: 65_534)).isEmpty)
        #expect(roles(peer(Self.scened)).isEmpty)
    }

    @Test("introspection needs no role; a method that the table does not know is refused to root too")
    func unlisted() {
        let other = peer(1000)
        #expect(Self.policy.refusal(other, "org.varlink.service.GetInfo") == nil)
        #expect(Self.policy.refusal(other, "org.varlink.service.GetInterfaceDescription") == nil)
        #expect(Self.policy.refusal(other, "io.scened.Scenes.List") != nil)
        #expect(Self.policy.refusal(peer(0), "io.scened.Scenes.Forgotten") == .permissionDenied)
    }

    @Test("the roles stand in their order, and a refusal names the one that is lacking")
    func order() {
        #expect(Role.allCases.map(\.rawValue) == ["observe", "inject", "act", "mutate", "control", "manage"])
        #expect(Self.policy.roles(of: peer(701, [Self.scened])) == [.observe, .inject, .act, .mutate, .control])
        let refusal = Self.policy.refusal(peer(700), "io.scened.Events.Gesture")
        #expect(refusal == VarlinkError("org.varlink.service.PermissionDenied", ["role": "act"]))
    }
}
