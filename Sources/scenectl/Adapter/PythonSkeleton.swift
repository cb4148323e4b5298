/// A new adapter in Python: a pure function, what connects it, a test, a fixture.
enum PythonSkeleton {
    static func files(name: String) -> [(path: String, text: String)] {
        [
            ("adapter.py", adapter.replacing("NAME", with: name)),
            ("test_adapter.py", test),
            ("fixtures/campaign.yaml", fixture.replacing("NAME", with: name)),
        ]
    }

    private static let adapter = """
        \"\"\"The adapter NAME: turns raw events into requests.

        Run it beside the daemon (pip install varlink):    python3 adapter.py unix:/run/scened/io.scened
        Try it:    scenectl sample push | scenectl adapter try --event - --explain
        \"\"\"

        import os
        import sys


        def adapt(kind, event):
            \"\"\"What the adapter says to an event; pure, so that the same event always gives the same answer.

            The event is the parameters of the call that injects it. The answer is one of {"url": …},
            {"destination": {"id": …, "parameters": {…}}}, {"declined": reason} (the next adapter is asked) and
            {"refused": reason} (nobody else is).
            \"\"\"
            campaign = event["payload"].get("campaign")
            if campaign is None:
                return {"declined": "payload.campaign is absent"}
            if not isinstance(campaign, str):
                return {"refused": "payload.campaign is not text"}
            return {"destination": {"id": "promo", "parameters": {"code": campaign.upper()}}}


        def serve(address):
            import varlink

            client = varlink.Client.new_with_address(address)
            adapters = client.open("io.scened.Adapters")
            events = client.open("io.scened.Adapters").Register(name="NAME", kinds=["push"], priority=20, _more=True)
            registration = next(events)["registration"]
            for asked in events:
                if asked.get("request") is None:
                    break
                answer = adapt(asked["kind"], asked["event"])
                try:
                    adapters.Answer(registration=registration, request=asked["request"], **answer)
                except varlink.VarlinkError as error:
                    # Too late, or no answer at all: the daemon has gone on without it.
                    print(error, file=sys.stderr)


        if __name__ == "__main__":
            serve(sys.argv[1] if len(sys.argv) > 1 else "unix:" + os.environ["SCENED_SOCKET"])

        """

    private static let test = """
        import unittest

        from adapter import adapt


        def push(**custom):
            return {"payload": {"aps": {"alert": "On sale"}, **custom}, "interaction": "open"}


        class AdapterTest(unittest.TestCase):
            def test_takes_a_campaign(self):
                self.assertEqual(
                    adapt("push", push(campaign="spring24")),
                    {"destination": {"id": "promo", "parameters": {"code": "SPRING24"}}},
                )

            def test_passes_on_the_rest(self):
                self.assertIn("declined", adapt("push", push(url="https://shop.example/cart")))

            def test_refuses_what_makes_no_sense(self):
                self.assertIn("refused", adapt("push", push(campaign=24)))


        if __name__ == "__main__":
            unittest.main()

        """

    private static let fixture = """
        # scenectl adapter test fixtures, while the adapter runs beside a daemon
        event: { aps: { alert: On sale }, campaign: spring24 }
        expect:
          adapter: NAME
          request: { destination: { id: promo, parameters: { code: SPRING24 } } }
          decision: proceed

        """
}
