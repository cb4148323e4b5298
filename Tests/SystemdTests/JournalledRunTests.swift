import Testing

/// Runs judged afterwards from the journal, under a booted systemd.
@Suite(
    "A unit's records in the journal",
    .disabled(if: Container.obstacle != nil, "\(Container.obstacle ?? "")"),
    .serialized,
    .timeLimit(.minutes(15))
)
struct JournalledRunTests {
    private static let prelude = """
        systemd-sysusers
        # The unit with a drop-in of these lines.
        configure() {
            mkdir -p /etc/systemd/system/scened.service.d
            printf '[Service]\\n%s\\n' "$@" > /etc/systemd/system/scened.service.d/test.conf
            systemctl daemon-reload
        }
        quiet() { "$@" > /out/said 2>&1 || { echo "$*: $?"; cat /out/said; }; }
        # What it comes to, without the times and IDs that differ.
        check() {
            scenectl check --journal "$@" > /out/checked 2>&1 && status=0 || status=$?
            grep -o 'killed by signal 9\\|; stopped$\\|still running\\|holds .*\\|namespace [a-z]*\\|VIOLATED.*' /out/checked | sed 's/  .*//' | sort | uniq -c | sed 's/^ *//'
            grep -o 'suppressed them by its rate limit' /out/checked | sort -u
            echo "status $status"
        }

        """

    @Test("with the drop-in for soaks, records go to a separate journal, and a run that was killed is recognised")
    func namespace() throws {
        let lines = try Container.run(
            Self.prelude + """
                examples=/usr/share/doc/scened/examples
                mkdir -p /etc/systemd/system/scened.service.d /var/log/journal
                cp $examples/soak.conf /etc/systemd/system/scened.service.d/
                cp $examples/journald@scened.conf /etc/systemd/
                systemctl daemon-reload
                systemctl start scened.socket
                quieted() { journalctl -q --namespace=scened SCENED_RECORD=host.quiet | grep -q .; }
                restarted() { test "$(systemctl show -P NRestarts scened.service)" = 1 && test "$(systemctl is-active scened.service)" = active; }
                for run in 1 2; do
                    quiet scenectl connect $run
                    quiet scenectl openurl --scene $run https://shop.example/cart
                    quiet scenectl session sign-in anna
                    quiet scenectl quiesce
                    test $run = 2 && break
                    await quieted
                    kill -9 $(systemctl show -P MainPID scened.service)
                    await restarted
                done
                echo "running:"
                check scened
                quiet systemctl stop scened.service
                quiet journalctl --namespace=scened --sync
                quiet journalctl --sync
                echo "found by itself:"
                check scened --since -1h
                echo "named:"
                check scened.service --namespace scened
                echo "json: $(scenectl check --journal scened --json | grep -c '"ending": "\\(killed\\|stopped\\)"')"
                echo "default: $(journalctl -q -u scened.service SYSLOG_IDENTIFIER=scened -o cat | wc -l)"
                runuser -u nobody -- scenectl check --journal scened || echo "nobody: $?"
                scenectl check --journal nosuch || echo "nosuch: $?"
                scenectl check --journal scened --namespace nosuch || echo "no namespace: $?"
                """,
            daemon: .scened
        )
        let all = lines.joined(separator: "\n")
        func block(_ title: String) -> [String] {
            Array(lines.drop { $0 != title }.dropFirst().prefix { !$0.hasSuffix(":") && !$0.hasPrefix("json") })
        }
        #expect(
            block("running:").contains("1 still running") && block("running:").contains("1 killed by signal 9"),
            "\(all)"
        )
        for title in ["found by itself:", "named:"] {
            let said = block(title)
            #expect(said.contains("1 ; stopped") && said.contains("1 killed by signal 9"), "\(title)\n\(all)")
            #expect(said.contains("1 namespace scened"), "\(title)\n\(all)")
            #expect(!said.contains { $0.contains("VIOLATED") || $0.contains("suppressed") }, "\(title)\n\(all)")
            #expect(said.contains("status 0"), "\(title)\n\(all)")
        }
        for line in ["json: 2", "default: 0", "nobody: 3", "nosuch: 3", "no namespace: 3"] {
            #expect(lines.contains(line), "\(line) is missing in:\n\(all)")
        }
        #expect(all.contains("You may not read the journal. Become root"), "\(all)")
        #expect(all.contains("The journal has no entry of nosuch.service."), "\(all)")
        #expect(all.contains("There is no journal of the namespace 'nosuch'."), "\(all)")
    }

    @Test("records that journald suppressed are reported as such, and the verdict is unknown")
    func rateLimit() throws {
        let lines = try Container.run(
            Self.prelude + """
                configure Environment=SCENED_LOG_RECORDS=whole LogRateLimitIntervalSec=10s LogRateLimitBurst=20
                systemctl start scened.socket
                quiet scenectl connect A
                # One process sends them all: a busy machine that starts one for each would not exceed the limit in time.
                for number in $(seq 40); do
                    printf '{"call": "Events.OpenURL", "parameters": {"scene": "A", "url": "qcommerce://product/p%d"}}\\n' $number
                done > /out/events.jsonl
                quiet scenectl play /out/events.jsonl
                # journald says how many it suppressed when the first comes after the interval.
                sleep 10.5
                quiet scenectl openurl --scene A qcommerce://product/p50
                quiet systemctl stop scened.service
                quiet journalctl --sync
                check scened
                """,
            daemon: .scened
        )
        let all = lines.joined(separator: "\n")
        #expect(lines.contains("suppressed them by its rate limit"), "\(all)")
        #expect(lines.contains("1 ; stopped"), "\(all)")
        #expect(lines.last == "status 4", "\(all)")
    }

    @Test("for a unit that logs in brief, the message says how to log whole")
    func brief() throws {
        let lines = try Container.run(
            Self.prelude + """
                systemctl start scened.socket
                quiet scenectl connect A
                quiet systemctl stop scened.service
                quiet journalctl --sync
                scenectl check --journal scened || echo "status $?"
                """,
            daemon: .scened
        )
        let all = lines.joined(separator: "\n")
        #expect(all.contains("none whole") && all.contains("soak.conf"), "\(all)")
        #expect(lines.last == "status 3", "\(all)")
    }
}
