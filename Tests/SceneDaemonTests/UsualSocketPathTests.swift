import SceneVocabulary
import Testing

@Suite("The usual path of the socket")
struct UsualSocketPathTests {
    static let users: [(user: UInt32, directory: String?, path: String?)] = [
        (0, nil, "/run/scened/io.scened"), (0, "/run/user/0", "/run/scened/io.scened"),
        (1000, "/run/user/1000", "/run/user/1000/scened/io.scened"), (1000, nil, nil), (1000, "", nil),
    ]

    @Test("is the system's for root, else in the user's runtime directory", arguments: users)
    func path(user: UInt32, directory: String?, path: String?) {
        #expect(UsualSocketPath.ofUser(user, runtimeDirectory: directory) == path)
    }
}
