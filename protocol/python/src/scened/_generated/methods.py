"""The methods of the socket API, each of which blocks.

Written by generate.py from protocol/*.varlink; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from .._calls import Call, Caller, Stream
from .._codec import JSON, nothing, present
from .types import (
    Activation,
    AdaptersListReply,
    AdaptersRegisterReply,
    AdaptersTryReply,
    ControlAdvanceReply,
    ControlAwaitReply,
    ControlHoldReply,
    ControlResetReply,
    Destination,
    EventsContinueActivityReply,
    EventsFinishFlowReply,
    EventsGestureReply,
    EventsGetReply,
    EventsOpenURLReply,
    EventsOpenURLsReply,
    EventsPerformShortcutReply,
    EventsPushReply,
    EventsSendIntentReply,
    EventsTapWidgetReply,
    ManagerGetManifestReply,
    ManagerGetMetricsReply,
    ManagerGetStatusReply,
    ManagerReloadReply,
    Owner,
    RecordingReadReply,
    RecordsCheckReply,
    RecordsReadReply,
    RoutingExplainReply,
    RoutingMatchAssociationReply,
    RoutingPrintReply,
    RoutingResolveReply,
    RoutingRoutesReply,
    ScenesConnectReply,
    ScenesDiscardReply,
    ScenesDisconnectReply,
    ScenesGetReply,
    ScenesListReply,
    ScenesSetActivationReply,
    SessionCommitReply,
    SessionGetReply,
    SessionMarkStaleReply,
    SessionSignInReply,
    SessionSignOutReply,
    Window,
)

# A failed test is shown where it calls a method, not the inside.
__tracebackhide__ = True


class Adapters:
    """The methods of io.scened.Adapters."""

    __slots__ = ("_caller",)

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def register(
        self,
        name: str,
        kinds: Sequence[str],
        *,
        priority: int | None = None,
        timeout_milliseconds: int | None = None,
        timeout: float | None = None,
    ) -> Stream[AdaptersRegisterReply]:
        """Registers an adapter while the call is open; requires more. The first reply has only the registration, each
        further one an event to be answered with Answer on another connection. An adapter that did not answer in time
        is not asked again for a second, or until it answers.

        Args:
            name: Its name, 1 to 128 bytes of visible ASCII, which no other adapter has.
            kinds: The kinds of event it is asked about: url, activity, push, widget, shortcut.
            priority: Adapters with a higher priority are asked first; 0 by default.
            timeout_milliseconds: How long an answer may take, 1 to 10000 milliseconds; 250 by default.
            timeout: How long to wait until the call is sent, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Adapters.Register",
            present(
                {
                    "name": name,
                    "kinds": kinds,
                    "priority": priority,
                    "timeoutMilliseconds": timeout_milliseconds,
                }
            ),
            AdaptersRegisterReply.decode,
        )
        return self._caller.stream(call, timeout)

    def answer(
        self,
        registration: str,
        request: int,
        *,
        url: str | None = None,
        destination: Destination | None = None,
        handled: bool | None = None,
        user: str | None = None,
        declined: str | None = None,
        refused: str | None = None,
        warnings: Sequence[str] | None = None,
        timeout: float | None = None,
    ) -> None:
        """Answers an event with exactly one of url, destination, handled, declined and refused. Only the user who
        registered may answer.

        Args:
            registration: The registration.
            request: The number of the request.
            url: The event asks for this absolute URL.
            destination: The event asks for this destination.
            handled: The app is done with the event, and there is nothing to navigate; false counts as null.
            user: With url or destination: the user whom the event is for. While somebody else is signed in it ends
                rejected as otherUser.
            declined: The event is not for this adapter, for this reason of 1 to 1024 bytes; the next one is asked.
            refused: The event is for this adapter but invalid, for this reason of 1 to 1024 bytes; no other adapter
                is asked.
            warnings: What of the event was ignored.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Adapters.Answer",
            present(
                {
                    "registration": registration,
                    "request": request,
                    "url": url,
                    "destination": None if destination is None else destination.encode(),
                    "handled": handled,
                    "user": user,
                    "declined": declined,
                    "refused": refused,
                    "warnings": warnings,
                }
            ),
            nothing,
        )
        return self._caller.call(call, timeout)

    def list(
        self,
        *,
        timeout: float | None = None,
    ) -> AdaptersListReply:
        """All adapters, in the order asked.

        Args:
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Adapters.List",
            {},
            AdaptersListReply.decode,
        )
        return self._caller.call(call, timeout)

    def try_(
        self,
        event: Mapping[str, JSON],
        *,
        kind: str | None = None,
        adapter: str | None = None,
        timeout: float | None = None,
    ) -> AdaptersTryReply:
        """Asks the adapters about an event, and the routing engine about their answer, with the present session.
        Changes no window. One user may have 4 trials under way. A trial waits 2 seconds for each adapter of another
        process to have time for it; then, or if the event is longer than 32 KiB, it goes on without that adapter.
        With oneway no trial is made, for nobody reads it.

        Args:
            event: The event: the parameters of the call in io.scened.Events that injects it, or just a push payload.
            kind: Its kind: url, activity, push, widget or shortcut; null infers it from the members.
            adapter: The only adapter to ask; null asks all in turn.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Adapters.Try",
            present(
                {
                    "event": event,
                    "kind": kind,
                    "adapter": adapter,
                }
            ),
            AdaptersTryReply.decode,
        )
        return self._caller.call(call, timeout)


class Control:
    """The methods of io.scened.Control."""

    __slots__ = ("_caller",)

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def hold(
        self,
        point: Literal["admitted", "resolved", "planned", "transition", "settled"],
        *,
        scene: str | None = None,
        event: str | None = None,
        kind: Literal["dispatch", "resume", "sweep"] | None = None,
        hold: str | None = None,
        timeout: float | None = None,
    ) -> ControlHoldReply:
        """Begins to hold everything that reaches a point, until released. First attempts and resumes pass admitted
        and settled once, and resolved and planned once per round: if the session changes meanwhile, they resolve
        again. A sweep after a commit passes all five too: the window has been judged (resolved), nothing has been
        removed yet (planned), a removal has begun (transition); these three repeat until nothing is left to remove.
        If the session changes while a sweep is held, the newest session decides. The sweep of a disconnected window
        passes only admitted, because there is nothing to judge. What a user who has left had done goes at once,
        without a transition, between planned and settled. What the app itself gets passes admitted and settled, and
        what does something then, resolved and planned between them. Of several holds that fit, the oldest catches;
        when it is released, what it caught goes on.

        Args:
            point: The point: its turn has come (admitted), the engine has answered (resolved), the plan is made
                (planned), an op has begun (transition), it has ended and is recorded (settled).
            scene: Only in this window.
            event: Only this event.
            kind: Only first attempts (dispatch), resumes of parked intents, or sweeps after a commit.
            hold: What the hold is to be called; null for a name of the daemon's: h1, h2, … Once it is released its
                name is free.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Control.Hold",
            present(
                {
                    "point": point,
                    "scene": scene,
                    "event": event,
                    "kind": kind,
                    "hold": hold,
                }
            ),
            ControlHoldReply.decode,
        )
        return self._caller.call(call, timeout)

    def await_(
        self,
        hold: str,
        *,
        timeout_milliseconds: int | None = None,
        timeout: float | None = None,
    ) -> ControlAwaitReply:
        """Waits until the hold has caught something that was not reported yet; each catch is reported once.

        Args:
            hold: The hold.
            timeout_milliseconds: How long to wait, in milliseconds; null for ever.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Control.Await",
            present(
                {
                    "hold": hold,
                    "timeoutMilliseconds": timeout_milliseconds,
                }
            ),
            ControlAwaitReply.decode,
        )
        return self._caller.call(call, timeout)

    def release(
        self,
        hold: str,
        *,
        timeout: float | None = None,
    ) -> None:
        """Removes the hold and lets everything it caught go on.

        Args:
            hold: The hold.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Control.Release",
            present(
                {
                    "hold": hold,
                }
            ),
            nothing,
        )
        return self._caller.call(call, timeout)

    def quiesce(
        self,
        *,
        scene: str | None = None,
        timeout_milliseconds: int | None = None,
        timeout: float | None = None,
    ) -> None:
        """Waits until mailboxes are empty, nothing is in transition and nothing is held. Parked intents may be left.

        Args:
            scene: Only this window; null for all.
            timeout_milliseconds: How long to wait, in milliseconds; null for ever.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Control.Quiesce",
            present(
                {
                    "scene": scene,
                    "timeoutMilliseconds": timeout_milliseconds,
                }
            ),
            nothing,
        )
        return self._caller.call(call, timeout)

    def advance(
        self,
        *,
        milliseconds: int | None = None,
        time: int | None = None,
        date: str | None = None,
        timeout: float | None = None,
    ) -> ControlAdvanceReply:
        """Advances a virtual clock (scened --clock virtual), from deadline to deadline. Replies when every window is
        idle, held, or asleep until a later time. Exactly one of the parameters says how far.

        Args:
            milliseconds: By how many milliseconds; 0 only waits.
            time: To which time, in milliseconds since the daemon's start or last reset.
            date: To which date, in UTC: 2026-11-27, 2026-11-27T08:00Z or 2026-11-27T08:00:00Z.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Control.Advance",
            present(
                {
                    "milliseconds": milliseconds,
                    "time": time,
                    "date": date,
                }
            ),
            ControlAdvanceReply.decode,
        )
        return self._caller.call(call, timeout)

    def reset(
        self,
        *,
        seed: int | None = None,
        start: str | None = None,
        timeout: float | None = None,
    ) -> ControlResetReply:
        """Starts over: no windows, nobody signed in, tickets, IDs of events and a virtual clock as at the start, so
        that one daemon can serve a whole test suite. The host's ID is a new one, which no other history has. Admitted
        events that have not begun are abandoned, and streams end.

        Args:
            seed: What is random in the new host is the same for the same seed: the order in which URLs come that are
                opened at once. No seed decides the host's ID. Without a seed one is drawn.
            start: The date with which a virtual clock begins, in UTC: 2026-11-27T08:00:00Z. null: the setting start,
                or else the date now.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Control.Reset",
            present(
                {
                    "seed": seed,
                    "start": start,
                }
            ),
            ControlResetReply.decode,
        )
        return self._caller.call(call, timeout)


class Events:
    """The methods of io.scened.Events."""

    __slots__ = ("_caller",)

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def open_url(
        self,
        url: str,
        *,
        source_application: str | None = None,
        scene: str | None = None,
        event: str | None = None,
        wait: Literal["admitted", "settled", "finished"] | None = None,
        timeout: float | None = None,
    ) -> EventsOpenURLReply:
        """A URL is opened. A custom scheme of the app opens as URL; for an https URL the associated-domains file
        decides.

        Args:
            url: The absolute URL, at most 8 KiB.
            source_application: The bundle ID of the app that opens it.
            scene: The scene to send it to; null lets the daemon choose one.
            event: The client's ID for the event, a name: 1 to 128 bytes of visible ASCII. A call with an ID that was
                used before only returns that event's receipt.
            wait: When to reply: at once (admitted), when the first attempt has ended (settled, the default), or at
                the terminal outcome (finished).
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Events.OpenURL",
            present(
                {
                    "url": url,
                    "sourceApplication": source_application,
                    "scene": scene,
                    "event": event,
                    "wait": wait,
                }
            ),
            EventsOpenURLReply.decode,
        )
        return self._caller.call(call, timeout)

    def open_urls(
        self,
        urls: Sequence[str],
        *,
        order: Sequence[int] | None = None,
        source_application: str | None = None,
        scene: str | None = None,
        event: str | None = None,
        wait: Literal["admitted", "settled", "finished"] | None = None,
        timeout: float | None = None,
    ) -> EventsOpenURLsReply:
        """Several URLs of the app's own schemes are opened at once, as iOS hands them to a scene: as a set, in an
        order on which nobody can count. Each is an event of its own. One scene takes them all, and nothing comes
        between them; if one is refused, so are all (MemberRefused; a web link is malformed here, because it comes
        alone).

        Args:
            urls: The absolute URLs: 2 to 32, each at most 8 KiB, none twice.
            order: The order in which they come, as their places from 1, each once, such as [2, 1]: to repeat what was
                recorded. null leaves it to the daemon's chance.
            source_application: The bundle ID of the app that opens them.
            scene: The scene to send them to; null lets the daemon choose one that can take them all.
            event: The client's ID for the set, a name. The events get it with their places: "mail" makes "mail/1",
                "mail/2", each a name of at most 128 bytes. A call with an ID that was used before only returns the
                receipts of that set, whatever its order; UnknownEvent if one of its events has been forgotten.
            wait: When to reply: at once (admitted), when the first attempt of each has ended (settled, the default),
                or at the terminal outcome of each (finished).
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Events.OpenURLs",
            present(
                {
                    "urls": urls,
                    "order": order,
                    "sourceApplication": source_application,
                    "scene": scene,
                    "event": event,
                    "wait": wait,
                }
            ),
            EventsOpenURLsReply.decode,
        )
        return self._caller.call(call, timeout)

    def continue_activity(
        self,
        activity_type: str,
        *,
        webpage_url: str | None = None,
        user_info: Mapping[str, JSON] | None = None,
        title: str | None = None,
        target_content_identifier: str | None = None,
        persistent_identifier: str | None = None,
        referrer_url: str | None = None,
        handoff: bool | None = None,
        announced: bool | None = None,
        failure: str | None = None,
        dragged_from: str | None = None,
        scene: str | None = None,
        event: str | None = None,
        wait: Literal["admitted", "settled", "finished"] | None = None,
        timeout: float | None = None,
    ) -> EventsContinueActivityReply:
        """A user activity is continued: a universal link (NSUserActivityTypeBrowsingWeb), Handoff, Spotlight, Siri. A
        Handoff can take two calls: first announced, then the activity or its failure.

        Args:
            activity_type: The activity's type.
            webpage_url: The web page of a universal link, or the activity's fallback.
            user_info: The activity's user info: strings, numbers, booleans, arrays and objects of these.
            title: The activity's title.
            target_content_identifier: The content identifier by which a scene is chosen.
            persistent_identifier: The identifier by which the activity can be deleted.
            referrer_url: The page that led to a universal link.
            handoff: Whether it comes from another device.
            announced: Whether only its type is known yet, because the activity is still coming from the other device;
                all else must be absent. The event is delivered and navigates nowhere.
            failure: Why the activity will not come after all; all else must be absent. The event is delivered and
                navigates nowhere.
            dragged_from: The scene from which it is dragged to where the system opens a new window for it, whichever
                others could take it. That window must be open and not locked, and no scene may be named besides.
                Error ValidationFailed or UnknownScene else, NoEligibleScene if the app allows no more windows.
            scene: The scene to send it to; null lets the daemon choose one.
            event: The client's ID for the event, a name: 1 to 128 bytes of visible ASCII. A call with an ID that was
                used before only returns that event's receipt.
            wait: When to reply: at once (admitted), when the first attempt has ended (settled, the default), or at
                the terminal outcome (finished).
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Events.ContinueActivity",
            present(
                {
                    "activityType": activity_type,
                    "webpageURL": webpage_url,
                    "userInfo": user_info,
                    "title": title,
                    "targetContentIdentifier": target_content_identifier,
                    "persistentIdentifier": persistent_identifier,
                    "referrerURL": referrer_url,
                    "handoff": handoff,
                    "announced": announced,
                    "failure": failure,
                    "draggedFrom": dragged_from,
                    "scene": scene,
                    "event": event,
                    "wait": wait,
                }
            ),
            EventsContinueActivityReply.decode,
        )
        return self._caller.call(call, timeout)

    def push(
        self,
        payload: Mapping[str, JSON],
        *,
        interaction: Literal["present", "open", "dismiss", "action"] | None = None,
        action: str | None = None,
        text: str | None = None,
        voip: bool | None = None,
        scene: str | None = None,
        event: str | None = None,
        wait: Literal["admitted", "settled", "finished"] | None = None,
        timeout: float | None = None,
    ) -> EventsPushReply:
        """A remote notification arrives, or the user responds to one.

        Args:
            payload: The APNs payload as it is, at most 4 KiB; a "Simulator Target Bundle" member is allowed, as in
                .apns files.
            interaction: What the user does: sees it (present), taps it (open), dismisses it, or chooses an action.
                Default: open, or silent for a push that shows no notification: one without the text of an alert, or
                one that starts, updates or ends a Live Activity. To that nobody can respond, so that open, dismiss
                and action are Malformed. Where the manifest declares notification categories, so are a dismissal and
                an action that the payload's category does not have. What hands an intent to the app (an action, or
                present and dismiss where the category says so) needs the role act as well; so does what the app's own
                code hears of, silent pushes included.
            action: The identifier of the action chosen.
            text: The text typed for a text-input action.
            voip: Whether it is a VoIP push: at most 5 KiB, aps may be missing, and there is no interaction.
            scene: The scene to send it to; null lets the daemon choose one.
            event: The client's ID for the event, a name: 1 to 128 bytes of visible ASCII. A call with an ID that was
                used before only returns that event's receipt.
            wait: When to reply: at once (admitted), when the first attempt has ended (settled, the default), or at
                the terminal outcome (finished).
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Events.Push",
            present(
                {
                    "payload": payload,
                    "interaction": interaction,
                    "action": action,
                    "text": text,
                    "voip": voip,
                    "scene": scene,
                    "event": event,
                    "wait": wait,
                }
            ),
            EventsPushReply.decode,
        )
        return self._caller.call(call, timeout)

    def tap_widget(
        self,
        kind: str,
        *,
        family: str | None = None,
        url: str | None = None,
        user_info: Mapping[str, JSON] | None = None,
        scene: str | None = None,
        event: str | None = None,
        wait: Literal["admitted", "settled", "finished"] | None = None,
        timeout: float | None = None,
    ) -> EventsTapWidgetReply:
        """A widget is tapped.

        Args:
            kind: The widget's kind.
            family: The widget's family, such as systemSmall.
            url: The widget's URL, if it has one.
            user_info: The user info of the widget's activity.
            scene: The scene to send it to; null lets the daemon choose one.
            event: The client's ID for the event, a name: 1 to 128 bytes of visible ASCII. A call with an ID that was
                used before only returns that event's receipt.
            wait: When to reply: at once (admitted), when the first attempt has ended (settled, the default), or at
                the terminal outcome (finished).
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Events.TapWidget",
            present(
                {
                    "kind": kind,
                    "family": family,
                    "url": url,
                    "userInfo": user_info,
                    "scene": scene,
                    "event": event,
                    "wait": wait,
                }
            ),
            EventsTapWidgetReply.decode,
        )
        return self._caller.call(call, timeout)

    def perform_shortcut(
        self,
        type: str,
        *,
        user_info: Mapping[str, JSON] | None = None,
        target_content_identifier: str | None = None,
        scene: str | None = None,
        event: str | None = None,
        wait: Literal["admitted", "settled", "finished"] | None = None,
        timeout: float | None = None,
    ) -> EventsPerformShortcutReply:
        """A quick action of the app's icon is chosen.

        Args:
            type: The quick action's type.
            user_info: Its user info.
            target_content_identifier: The content identifier by which a scene is chosen.
            scene: The scene to send it to; null lets the daemon choose one.
            event: The client's ID for the event, a name: 1 to 128 bytes of visible ASCII. A call with an ID that was
                used before only returns that event's receipt.
            wait: When to reply: at once (admitted), when the first attempt has ended (settled, the default), or at
                the terminal outcome (finished).
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Events.PerformShortcut",
            present(
                {
                    "type": type,
                    "userInfo": user_info,
                    "targetContentIdentifier": target_content_identifier,
                    "scene": scene,
                    "event": event,
                    "wait": wait,
                }
            ),
            EventsPerformShortcutReply.decode,
        )
        return self._caller.call(call, timeout)

    def send_intent(
        self,
        name: str,
        *,
        parameters: Mapping[str, str] | None = None,
        from_: str | None = None,
        scene: str | None = None,
        event: str | None = None,
        wait: Literal["admitted", "settled", "finished"] | None = None,
        timeout: float | None = None,
    ) -> EventsSendIntentReply:
        """An in-app intent: the topmost screen reports what happened. It bubbles from the screen to its container,
        its coordinator, the coordinator's parents and the scene's root, until one handles it; if none does it ends
        rejected (unhandledIntent).

        Args:
            name: The intent's name. If the app declares it, its parameters must match a declaration, or the error is
                ValidationFailed.
            parameters: Its parameters by name; null for none.
            from_: What reports it by itself, which brings no window to the front: the ID of a screen that is shown,
                covered ones too, or a container as the record intent.bubbled names it, such as "tab home"; null for
                the topmost screen, on which somebody did it.
            scene: The scene whose topmost screen reports it; required, or the error is InvalidParameter(scene).
            event: The client's ID for the event, a name: 1 to 128 bytes of visible ASCII. A call with an ID that was
                used before only returns that event's receipt.
            wait: When to reply: at once (admitted), when the first attempt has ended (settled, the default), or at
                the terminal outcome (finished).
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Events.SendIntent",
            present(
                {
                    "name": name,
                    "parameters": parameters,
                    "from": from_,
                    "scene": scene,
                    "event": event,
                    "wait": wait,
                }
            ),
            EventsSendIntentReply.decode,
        )
        return self._caller.call(call, timeout)

    def gesture(
        self,
        gesture: Literal["back", "swipeBack", "dismiss", "swipeDown", "selectTab"],
        *,
        tab: str | None = None,
        cancelled: bool | None = None,
        scene: str | None = None,
        event: str | None = None,
        wait: Literal["admitted", "settled", "finished"] | None = None,
        timeout: float | None = None,
    ) -> EventsGestureReply:
        """A gesture on a window. It is judged when the finger touches: during a transition it gets a ticket and ends
        ignored. Otherwise it waits its turn and then does what UIKit would do, or ends ignored with a reason.

        Args:
            gesture: The back button, a swipe from the edge, the button that closes a presentation, a swipe that pulls
                it down, a tap on a tab.
            tab: The tab tapped, for selectTab only.
            cancelled: Whether the swipe is begun but not completed: it takes as long as a transition and changes
                nothing. For swipes only; null means false.
            scene: The scene; required, or the error is InvalidParameter(scene).
            event: The client's ID for the event, a name: 1 to 128 bytes of visible ASCII. A call with an ID that was
                used before only returns that event's receipt.
            wait: When to reply: at once (admitted), when the first attempt has ended (settled, the default), or at
                the terminal outcome (finished).
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Events.Gesture",
            present(
                {
                    "gesture": gesture,
                    "tab": tab,
                    "cancelled": cancelled,
                    "scene": scene,
                    "event": event,
                    "wait": wait,
                }
            ),
            EventsGestureReply.decode,
        )
        return self._caller.call(call, timeout)

    def finish_flow(
        self,
        flow: str,
        result: Literal["completed", "cancelled"],
        *,
        user: str | None = None,
        facts: Mapping[str, JSON] | None = None,
        values: Mapping[str, str] | None = None,
        scene: str | None = None,
        event: str | None = None,
        wait: Literal["admitted", "settled", "finished"] | None = None,
        timeout: float | None = None,
    ) -> EventsFinishFlowReply:
        """The last screen of a flow reports that the flow is complete, or was cancelled. First user and facts are
        committed, with those that the app sets for the completed flow; then the flow leaves the screen and what
        waited for it resumes. If the flow is not on screen, or another window has made it pointless, the event ends
        rejected (noSuchFlow) and nothing is committed.

        Args:
            flow: The flow's name, as the app declares it.
            result: Whether the flow is complete or was cancelled.
            user: Who signed in, if the flow is about that. If the flow needs a user and there is none, the error is
                ValidationFailed(user).
            facts: Facts to set, as the app declares them, or the error is InvalidFact.
            values: What a complete flow hands to the flow that started it: texts, as the flow's result declares them,
                or the error is ValidationFailed.
            scene: The scene; required, or the error is InvalidParameter(scene).
            event: The client's ID for the event, a name: 1 to 128 bytes of visible ASCII. A call with an ID that was
                used before only returns that event's receipt.
            wait: When to reply: at once (admitted), when the first attempt has ended (settled, the default), or at
                the terminal outcome (finished).
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Events.FinishFlow",
            present(
                {
                    "flow": flow,
                    "result": result,
                    "user": user,
                    "facts": facts,
                    "values": values,
                    "scene": scene,
                    "event": event,
                    "wait": wait,
                }
            ),
            EventsFinishFlowReply.decode,
        )
        return self._caller.call(call, timeout)

    def get(
        self,
        event: str,
        *,
        timeout: float | None = None,
    ) -> EventsGetReply:
        """The current receipt of an event that this user sent.

        Args:
            event: The event's ID.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Events.Get",
            present(
                {
                    "event": event,
                }
            ),
            EventsGetReply.decode,
        )
        return self._caller.call(call, timeout)


class Manager:
    """The methods of io.scened.Manager."""

    __slots__ = ("_caller",)

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get_status(
        self,
        *,
        timeout: float | None = None,
    ) -> ManagerGetStatusReply:
        """The daemon's identity and state.

        Args:
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Manager.GetStatus",
            {},
            ManagerGetStatusReply.decode,
        )
        return self._caller.call(call, timeout)

    def get_manifest(
        self,
        *,
        digest: str | None = None,
        after: int | None = None,
        timeout: float | None = None,
    ) -> ManagerGetManifestReply:
        """A manifest that is in force or was: one of the 16 that were last since the host began. As JSON that can be
        read as a manifest file; files that the manifest names are in it.

        Args:
            digest: The manifest's digest, as records have it; null for the one in force.
            after: How many bytes of the text to leave out, as next said; 0 or null means none.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Manager.GetManifest",
            present(
                {
                    "digest": digest,
                    "after": after,
                }
            ),
            ManagerGetManifestReply.decode,
        )
        return self._caller.call(call, timeout)

    def get_metrics(
        self,
        *,
        timeout: float | None = None,
    ) -> ManagerGetMetricsReply:
        """The daemon's metrics as OpenMetrics text.

        Args:
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Manager.GetMetrics",
            {},
            ManagerGetMetricsReply.decode,
        )
        return self._caller.call(call, timeout)

    def reload(
        self,
        *,
        timeout: float | None = None,
    ) -> ManagerReloadReply:
        """Reloads the manifest, atomically. A dispatch in progress keeps the version with which it began;
        destinations that no longer exist are swept from the windows.

        Args:
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Manager.Reload",
            {},
            ManagerReloadReply.decode,
        )
        return self._caller.call(call, timeout)

    def drain(
        self,
        *,
        timeout: float | None = None,
    ) -> None:
        """Stops the daemon as SIGTERM would: no more events are admitted, admitted events are finished, clients that
        follow the records read the rest, and replies are flushed. Replies when the admitted events are finished.

        Args:
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Manager.Drain",
            {},
            nothing,
        )
        return self._caller.call(call, timeout)


class Recording:
    """The methods of io.scened.Recording."""

    __slots__ = ("_caller",)

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def read(
        self,
        *,
        after: int | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> RecordingReadReply:
        """The inputs of the running host, oldest first. The newest 10,000 are retained, up to 16 MiB.

        Args:
            after: The index after which to begin; 0, the default, means the beginning.
            limit: How many at most, 1 to 1000; 1000 by default.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Recording.Read",
            present(
                {
                    "after": after,
                    "limit": limit,
                }
            ),
            RecordingReadReply.decode,
        )
        return self._caller.call(call, timeout)


class Records:
    """The methods of io.scened.Records."""

    __slots__ = ("_caller",)

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def read(
        self,
        *,
        after: int | None = None,
        scene: str | None = None,
        event: str | None = None,
        kinds: Sequence[str] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> RecordsReadReply:
        """Records after an index, oldest first. With more, it follows the history: first the records there are, then
        new ones. It ends with the host, by a reply without continues. When the daemon stops, a client that is behind
        gets the history to its end, host.stopped, as long as it reads. It is cut off if it reads nothing for 2 s, or
        has not reached the end within drainTimeout (a setting; 4 s) after the last record. Then it gets the error
        CutOff; if it has not read that half a second later, the connection closes and the stream ends without a last
        reply.

        Args:
            after: The index after which to begin; 0 or null means the beginning.
            scene: Only records about this scene.
            event: Only records about this event.
            kinds: Only records of these kinds, such as dispatch.ended, or families of kinds, such as gate; null for
                all.
            limit: How many records a reply has at most, 1 to 10000; 1000 by default.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Records.Read",
            present(
                {
                    "after": after,
                    "scene": scene,
                    "event": event,
                    "kinds": kinds,
                    "limit": limit,
                }
            ),
            RecordsReadReply.decode,
        )
        return self._caller.call(call, timeout)

    def follow_read(
        self,
        *,
        after: int | None = None,
        scene: str | None = None,
        event: str | None = None,
        kinds: Sequence[str] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> Stream[RecordsReadReply]:
        """Records after an index, oldest first. With more, it follows the history: first the records there are, then
        new ones. It ends with the host, by a reply without continues. When the daemon stops, a client that is behind
        gets the history to its end, host.stopped, as long as it reads. It is cut off if it reads nothing for 2 s, or
        has not reached the end within drainTimeout (a setting; 4 s) after the last record. Then it gets the error
        CutOff; if it has not read that half a second later, the connection closes and the stream ends without a last
        reply.

        Args:
            after: The index after which to begin; 0 or null means the beginning.
            scene: Only records about this scene.
            event: Only records about this event.
            kinds: Only records of these kinds, such as dispatch.ended, or families of kinds, such as gate; null for
                all.
            limit: How many records a reply has at most, 1 to 10000; 1000 by default.
            timeout: How long to wait until the call is sent, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Records.Read",
            present(
                {
                    "after": after,
                    "scene": scene,
                    "event": event,
                    "kinds": kinds,
                    "limit": limit,
                }
            ),
            RecordsReadReply.decode,
        )
        return self._caller.stream(call, timeout)

    def check(
        self,
        *,
        timeout: float | None = None,
    ) -> RecordsCheckReply:
        """Judges the history so far by the invariants, and by the manifests that the host has had, as 'scenectl check
        --app' does. If the first records are no longer retained, or something is still going on, verdicts may be
        unknown; Quiesce first. It takes time in proportion to the records that are retained, beside everything else
        that the daemon does. One history is judged at a time; one user may have 4 checks under way.

        Args:
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Records.Check",
            {},
            RecordsCheckReply.decode,
        )
        return self._caller.call(call, timeout)


class Routing:
    """The methods of io.scened.Routing."""

    __slots__ = ("_caller",)

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def resolve(
        self,
        *,
        url: str | None = None,
        destination: Destination | None = None,
        user: str | None = None,
        facts: Mapping[str, JSON] | None = None,
        locale: str | None = None,
        market: str | None = None,
        timeout: float | None = None,
    ) -> RoutingResolveReply:
        """Decides where a URL or a destination leads; give exactly one of the two. Everything else is taken from the
        session by default.

        Args:
            url: The URL.
            destination: The destination.
            user: Who is signed in; the empty string for nobody.
            facts: Facts that replace the session's, by name.
            locale: The locale.
            market: The market.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Routing.Resolve",
            present(
                {
                    "url": url,
                    "destination": None if destination is None else destination.encode(),
                    "user": user,
                    "facts": facts,
                    "locale": locale,
                    "market": market,
                }
            ),
            RoutingResolveReply.decode,
        )
        return self._caller.call(call, timeout)

    def explain(
        self,
        url: str,
        *,
        user: str | None = None,
        facts: Mapping[str, JSON] | None = None,
        locale: str | None = None,
        market: str | None = None,
        timeout: float | None = None,
    ) -> RoutingExplainReply:
        """Explains where a URL leads: every step of the decision, and why it failed or passed. What is not given is
        taken from the session.

        Args:
            url: The URL.
            user: Who is signed in; the empty string for nobody.
            facts: Facts that replace the session's, by name.
            locale: The locale.
            market: The market.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Routing.Explain",
            present(
                {
                    "url": url,
                    "user": user,
                    "facts": facts,
                    "locale": locale,
                    "market": market,
                }
            ),
            RoutingExplainReply.decode,
        )
        return self._caller.call(call, timeout)

    def routes(
        self,
        *,
        after: int | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> RoutingRoutesReply:
        """All routes of the app, from the most specific to the least, page by page.

        Args:
            after: How many routes to leave out, as next said; 0 or null means none.
            limit: How many routes a reply has at most, 1 to 10000; 1000 by default. A reply of more than 256 KiB has
                fewer.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Routing.Routes",
            present(
                {
                    "after": after,
                    "limit": limit,
                }
            ),
            RoutingRoutesReply.decode,
        )
        return self._caller.call(call, timeout)

    def print(
        self,
        destination: Destination,
        *,
        timeout: float | None = None,
    ) -> RoutingPrintReply:
        """The URLs of a destination, for each scheme, domain and market.

        Args:
            destination: The destination.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Routing.Print",
            present(
                {
                    "destination": destination.encode(),
                }
            ),
            RoutingPrintReply.decode,
        )
        return self._caller.call(call, timeout)

    def match_association(
        self,
        url: str,
        *,
        timeout: float | None = None,
    ) -> RoutingMatchAssociationReply:
        """Whether a URL matches the app's associated domains.

        Args:
            url: The URL.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Routing.MatchAssociation",
            present(
                {
                    "url": url,
                }
            ),
            RoutingMatchAssociationReply.decode,
        )
        return self._caller.call(call, timeout)


class Scenes:
    """The methods of io.scened.Scenes."""

    __slots__ = ("_caller",)

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def connect(
        self,
        *,
        scene: str | None = None,
        configuration: str | None = None,
        window: Window | None = None,
        owner: Owner | None = None,
        background: bool | None = None,
        timeout: float | None = None,
    ) -> ScenesConnectReply:
        """Opens a window, or restores that of a disconnected scene, checked against the session before anything is
        shown. Replies when the window is open.

        Args:
            scene: The scene's ID, 1 to 64 letters, digits, '-', '_' or '.'; null for a new one.
            configuration: The scene configuration; null for the app's first, or that of the disconnected scene.
            window: A window to restore, as returned by Get in an earlier run. Destinations that the app no longer
                has, or the session does not allow, or that stand deeper than it allows, are left out; scene.swept
                records them. At most 256 KiB, as the daemon counts what it shows, so that a window it gave out is
                never too large. Null for the app's start, or what the disconnected scene showed.
            owner: Whose that window was, as Get returned it beside the window. While that user is not signed in, it
                is restored as one whose user has left: with what anybody may see (S9 of the contract). Null: the
                window belongs to who is signed in when it is shown.
            background: Whether nobody looks at it, as when the system connects a scene: it goes to the background
                instead of the front. Null means false.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Scenes.Connect",
            present(
                {
                    "scene": scene,
                    "configuration": configuration,
                    "window": None if window is None else window.encode(),
                    "owner": None if owner is None else owner.encode(),
                    "background": background,
                }
            ),
            ScenesConnectReply.decode,
        )
        return self._caller.call(call, timeout)

    def set_activation(
        self,
        scene: str,
        activation: Activation,
        *,
        timeout: float | None = None,
    ) -> ScenesSetActivationReply:
        """Changes a scene's activation by one step of UIKit's automaton: from unattached to foregroundInactive or
        background, from foregroundInactive to foregroundActive or background, and back. Takes effect after all events
        that the scene had admitted.

        Args:
            scene: The scene's ID.
            activation: The state to go to.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Scenes.SetActivation",
            present(
                {
                    "scene": scene,
                    "activation": activation,
                }
            ),
            ScenesSetActivationReply.decode,
        )
        return self._caller.call(call, timeout)

    def disconnect(
        self,
        scene: str,
        *,
        timeout: float | None = None,
    ) -> ScenesDisconnectReply:
        """Releases a scene's window, after all events that the scene had admitted. Parked events and their flows
        survive; the next event, or connecting the scene again, restores the window.

        Args:
            scene: The scene's ID.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Scenes.Disconnect",
            present(
                {
                    "scene": scene,
                }
            ),
            ScenesDisconnectReply.decode,
        )
        return self._caller.call(call, timeout)

    def discard(
        self,
        scene: str,
        *,
        timeout: float | None = None,
    ) -> ScenesDiscardReply:
        """Ends a scene for good and at once: all its events are abandoned, whether waiting, running or parked.

        Args:
            scene: The scene's ID.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Scenes.Discard",
            present(
                {
                    "scene": scene,
                }
            ),
            ScenesDiscardReply.decode,
        )
        return self._caller.call(call, timeout)

    def get(
        self,
        scene: str,
        *,
        timeout: float | None = None,
    ) -> ScenesGetReply:
        """A window's present state.

        Args:
            scene: The scene's ID.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Scenes.Get",
            present(
                {
                    "scene": scene,
                }
            ),
            ScenesGetReply.decode,
        )
        return self._caller.call(call, timeout)

    def list(
        self,
        *,
        after: int | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> ScenesListReply:
        """All windows, in the order opened, page by page. With more: first all that there are, then each one that has
        changed.

        Args:
            after: The number after which to begin, as next said; 0 or null means the beginning.
            limit: How many scenes a reply has at most, 1 to 10000; 1000 by default. A reply of more than 256 KiB has
                fewer.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Scenes.List",
            present(
                {
                    "after": after,
                    "limit": limit,
                }
            ),
            ScenesListReply.decode,
        )
        return self._caller.call(call, timeout)

    def follow_list(
        self,
        *,
        after: int | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> Stream[ScenesListReply]:
        """All windows, in the order opened, page by page. With more: first all that there are, then each one that has
        changed.

        Args:
            after: The number after which to begin, as next said; 0 or null means the beginning.
            limit: How many scenes a reply has at most, 1 to 10000; 1000 by default. A reply of more than 256 KiB has
                fewer.
            timeout: How long to wait until the call is sent, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Scenes.List",
            present(
                {
                    "after": after,
                    "limit": limit,
                }
            ),
            ScenesListReply.decode,
        )
        return self._caller.stream(call, timeout)


class Session:
    """The methods of io.scened.Session."""

    __slots__ = ("_caller",)

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(
        self,
        *,
        timeout: float | None = None,
    ) -> SessionGetReply:
        """The session. With more: the present one, then the one after each commit, in order. If a client reads too
        slowly, commits are left out and counted.

        Args:
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Session.Get",
            {},
            SessionGetReply.decode,
        )
        return self._caller.call(call, timeout)

    def follow_get(
        self,
        *,
        timeout: float | None = None,
    ) -> Stream[SessionGetReply]:
        """The session. With more: the present one, then the one after each commit, in order. If a client reads too
        slowly, commits are left out and counted.

        Args:
            timeout: How long to wait until the call is sent, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Session.Get",
            {},
            SessionGetReply.decode,
        )
        return self._caller.stream(call, timeout)

    def sign_in(
        self,
        user: str,
        *,
        facts: Mapping[str, JSON] | None = None,
        expires_in_milliseconds: int | None = None,
        stale_in_milliseconds: int | None = None,
        scene: str | None = None,
        timeout: float | None = None,
    ) -> SessionSignInReply:
        """Signs a user in and sets facts, in one commit. Another user's facts are reset in the same commit; the same
        user's sign-in is fresh again. What was set for an earlier sign-in to expire or to become stale is forgotten.

        Args:
            user: Who signs in, a name: 1 to 128 bytes of visible ASCII.
            facts: Facts to set.
            expires_in_milliseconds: Signs out automatically after this time on the daemon's clock, in milliseconds,
                at least 1.
            stale_in_milliseconds: Makes the sign-in stale after this time on the daemon's clock, in milliseconds, at
                least 1.
            scene: The scene in which it happens, for the records.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Session.SignIn",
            present(
                {
                    "user": user,
                    "facts": facts,
                    "expiresInMilliseconds": expires_in_milliseconds,
                    "staleInMilliseconds": stale_in_milliseconds,
                    "scene": scene,
                }
            ),
            SessionSignInReply.decode,
        )
        return self._caller.call(call, timeout)

    def sign_out(
        self,
        *,
        scene: str | None = None,
        timeout: float | None = None,
    ) -> SessionSignOutReply:
        """Signs out; changes nothing if nobody is signed in.

        Args:
            scene: The scene in which it happens, for the records.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Session.SignOut",
            present(
                {
                    "scene": scene,
                }
            ),
            SessionSignOutReply.decode,
        )
        return self._caller.call(call, timeout)

    def mark_stale(
        self,
        *,
        scene: str | None = None,
        timeout: float | None = None,
    ) -> SessionMarkStaleReply:
        """Makes the sign-in stale: windows keep what they show, and gates that need a fresh sign-in close. Changes
        nothing if nobody is signed in.

        Args:
            scene: The scene in which it happens, for the records.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Session.MarkStale",
            present(
                {
                    "scene": scene,
                }
            ),
            SessionMarkStaleReply.decode,
        )
        return self._caller.call(call, timeout)

    def commit(
        self,
        *,
        set: Mapping[str, JSON] | None = None,
        remove: Sequence[str] | None = None,
        expected_revision: int | None = None,
        scene: str | None = None,
        timeout: float | None = None,
    ) -> SessionCommitReply:
        """Sets and removes facts in one commit. A commit that changes nothing makes no revision.

        Args:
            set: Facts to set, by name.
            remove: Facts to reset to the values that the app declares.
            expected_revision: The call is refused if the session has another revision.
            scene: The scene in which it happens, for the records.
            timeout: How long to wait for the reply, in seconds; None takes the client's.
        """
        call = Call(
            "io.scened.Session.Commit",
            present(
                {
                    "set": set,
                    "remove": remove,
                    "expectedRevision": expected_revision,
                    "scene": scene,
                }
            ),
            SessionCommitReply.decode,
        )
        return self._caller.call(call, timeout)


class Interfaces:
    """All interfaces of the daemon, each as an attribute."""

    def __init__(self, caller: Caller) -> None:
        self.adapters = Adapters(caller)
        self.control = Control(caller)
        self.events = Events(caller)
        self.manager = Manager(caller)
        self.recording = Recording(caller)
        self.records = Records(caller)
        self.routing = Routing(caller)
        self.scenes = Scenes(caller)
        self.session = Session(caller)
