/// The files of a new adapter in Python: a pure function, the code that connects it to a daemon, a test, a fixture.
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
        import traceback


        def adapt(kind, event):
            \"\"\"Answers an event. It is pure: the same event always gets the same answer.

            The event has the parameters of the call that sends it. The answer is one of {"url": …},
            {"destination": {"id": …, "parameters": {…}}}, {"handled": True} (there is nothing to navigate),
            {"declined": reason} (the next adapter is asked) and {"refused": reason} (no other adapter is asked).
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
                try:
                    answer = adapt(asked["kind"], asked["event"])
                except Exception as error:
                    # A mistake in adapt is about this event, and the next one is answered all the same.
                    traceback.print_exc()
                    answer = {"refused": f"{type(error).__name__}: {error}"[:256]}
                try:
                    adapters.Answer(registration=registration, request=asked["request"], **answer)
                except varlink.VarlinkError as error:
                    # The answer came too late or was invalid, and the daemon went on without it.
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

            def test_declines_other_pushes(self):
                self.assertIn("declined", adapt("push", push(url="https://shop.example/cart")))

            def test_refuses_a_campaign_that_is_not_text(self):
                self.assertIn("refused", adapt("push", push(campaign=24)))


        if __name__ == "__main__":
            unittest.main()

        """

    private static let fixture = """
        # Run 'scenectl adapter test fixtures' while the adapter and a daemon run.
        event: { aps: { alert: On sale }, campaign: spring24 }
        expect:
          adapter: NAME
          request: "promo(code: SPRING24)"
          decision: proceed

        """
}
