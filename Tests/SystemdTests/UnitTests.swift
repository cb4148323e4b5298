import Testing

@Suite(
    "The units under a booted systemd",
    .disabled(if: Container.obstacle != nil, "\(Container.obstacle ?? "")"),
    .timeLimit(.minutes(15))
)
struct UnitTests {
    @Test("the first client starts a sandboxed daemon, members of the group may connect, and the socket outlives it")
    func activation() throws {
        let lines = try Container.run(
            """
            ask() { echo "$1: $(runuser -u $1 -- socat -u UNIX-CONNECT:/run/scened/io.scened - 2>&1 | grep -o 'user.*\\|Permission denied')"; }
            systemd-sysusers
            usermod -aG scened games
            systemctl start scened.socket
            echo "socket: $(stat -c '%A %U %G' /run/scened/io.scened)"
            echo "before: $(systemctl is-active scened.service)"
            ask root
            echo "after: $(systemctl is-active scened.service)"
            systemctl show -p StatusText scened.service
            systemctl stop scened.service
            systemctl show -p Result -p ExecMainStatus scened.service
            ask games
            ask nobody
            kill -9 $(systemctl show -P MainPID scened.service)
            ask root
            journalctl --update-catalog
            journalctl --sync
            journalctl -u scened.service SCENED_SCENE=A -o json --output-fields=SCENED_JOURNAL,_UID | head -n 1 \\
                | grep -o '"SCENED_JOURNAL":"true"'
            journalctl --dump-catalog b7d5c3f0a1e94c7f8d2e6a4b90f1c352 | grep Subject
            systemd-analyze security scened.service | grep -o 'level for.*'
            systemctl stop scened.socket
            test ! -e /run/scened/io.scened && echo "socket removed"
            """
        )
        let all = lines.joined(separator: "\n")
        // 65534 would be a peer hidden by PrivateUsers=; dynamic users are 61184 to 65519.
        #expect(lines.contains("socket: srw-rw---- root scened"), "\(all)")
        #expect(lines.contains("before: inactive"), "\(all)")
        #expect(lines.contains("after: active"), "\(all)")
        #expect(lines.contains("StatusText=serving"), "\(all)")
        #expect(lines.contains("Result=success") && lines.contains("ExecMainStatus=0"), "\(all)")
        let answers = lines.filter { $0.hasPrefix("root: user ") }
        #expect(answers.count == 2 && answers.allSatisfy { $0.hasSuffix(" peer 0") }, "\(all)")
        let user = answers.first?.split(separator: " ").dropFirst(2).first.flatMap { UInt32($0) }
        #expect(user.map { (61184...65519).contains($0) } == true, "\(all)")
        #expect(lines.contains { $0.hasPrefix("games: user ") && $0.hasSuffix(" peer 5") }, "\(all)")
        #expect(lines.contains("nobody: Permission denied"), "\(all)")
        #expect(lines.contains(#""SCENED_JOURNAL":"true""#), "\(all)")
        #expect(lines.contains("Subject: @SCENED_GAP@ log entries are missing"), "\(all)")
        #expect(lines.contains("socket removed"), "\(all)")
    }

    @Test("the real daemon: the first client starts it, its records are in the journal by field, stopping drains")
    func realDaemon() throws {
        let lines = try Container.run(
            """
            systemd-sysusers
            systemctl start scened.socket
            echo "before: $(systemctl is-active scened.service)"
            scenectl connect A
            scenectl openurl --scene A --event tap https://shop.example/cart
            scenectl session sign-in anna
            scenectl quiesce
            echo "after: $(systemctl is-active scened.service)"
            # It is said within a second.
            shown() { systemctl show -P StatusText scened.service | grep -q '1 scene, 0 clients'; }
            await shown
            systemctl show -p StatusText scened.service
            scenectl reload
            scenectl show A | grep -o cart
            runuser -u nobody -- scenectl list --socket /run/scened/io.scened || echo "nobody: $?"
            journalctl --sync
            for match in SCENED_OUTCOME=gated SCENED_OUTCOME=applied; do
                journalctl -u scened.service SCENED_SCENE=A SCENED_TICKET=1 SCENED_EVENT=tap $match -o json \
                    --output-fields=SCENED_OUTCOME,SCENED_REVISION | grep -o '"SCENED_[A-Z]*":"[a-z0-9]*"'
            done
            systemctl stop scened.service
            systemctl show -p Result -p ExecMainStatus scened.service
            test -S /run/scened/io.scened && echo "socket stays"
            scenectl list
            """,
            daemon: .scened
        )
        let all = lines.joined(separator: "\n")
        #expect(lines.contains("before: inactive"), "\(all)")
        #expect(lines.contains("A #1  gated  needs signedIn  home › auth[login]  tap"), "\(all)")
        #expect(lines.contains("after: active"), "\(all)")
        #expect(lines.contains("StatusText=Shop (manifest 1): 1 scene, 0 clients"), "\(all)")
        #expect(
            lines.contains { $0.hasPrefix("manifest version 1 is in force, digest ") } && lines.contains("cart"),
            "\(all)"
        )
        #expect(lines.contains("nobody: 3"), "\(all)")
        for field in [
            #""SCENED_OUTCOME":"gated""#, #""SCENED_REVISION":"0""#, #""SCENED_OUTCOME":"applied""#,
            #""SCENED_REVISION":"1""#,
        ] {
            #expect(lines.contains(field), "\(all)")
        }
        #expect(lines.contains("Result=success") && lines.contains("ExecMainStatus=0"), "\(all)")
        #expect(lines.contains("socket stays"), "\(all)")
        // The next daemon goes on with what the one before has left.
        #expect(lines.last?.hasPrefix("A  foregroundActive  home › cart") == true, "\(all)")
    }
}
