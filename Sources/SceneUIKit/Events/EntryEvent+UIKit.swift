#if canImport(UIKit) && !os(watchOS)
    internal import SceneEntryPoints
    internal import StrictJSON
    internal import UIKit
    #if canImport(UserNotifications)
        internal import UserNotifications
    #endif

    // What UIKit hands over, as the runtime has it. UIKit does not say what a widget has opened: that comes as a URL or an activity.
    extension EntryEvent {
        /// An opened URL.
        @MainActor
        static func opened(_ context: UIOpenURLContext) throws(JSONFieldError) -> EntryEvent {
            try .url(context.url.absoluteString, sourceApplication: context.options.sourceApplication)
        }

        /// An activity that is continued.
        ///
        /// - Parameter isHandoff: Whether it was announced before, as one from another device is.
        static func continued(_ activity: NSUserActivity, isHandoff: Bool) throws(JSONFieldError) -> EntryEvent {
            #if os(tvOS)
                let persistentIdentifier: String? = nil
            #else
                let persistentIdentifier = activity.persistentIdentifier?.nonempty
            #endif
            return try .activity(
                activityType: activity.activityType,
                webpageURL: activity.webpageURL?.absoluteString,
                userInfo: activity.userInfo.map(JSONObject.init(userInfo:)),
                title: activity.title?.nonempty,
                targetContentIdentifier: activity.targetContentIdentifier?.nonempty,
                persistentIdentifier: persistentIdentifier,
                referrerURL: activity.referrerURL?.absoluteString,
                handoff: isHandoff ? true : nil
            )
        }

        #if !os(tvOS)
            /// A quick action.
            @MainActor
            static func chosen(_ item: UIApplicationShortcutItem) throws(JSONFieldError) -> EntryEvent {
                try .shortcut(
                    type: item.type,
                    userInfo: item.userInfo.map {
                        JSONObject($0.sorted { $0.key < $1.key }.map { ($0.key, JSONValue(plist: $0.value)) })
                    },
                    targetContentIdentifier: (item.targetContentIdentifier as? String)?.nonempty
                )
            }

            /// What somebody did with a notification.
            static func responded(_ response: UNNotificationResponse) throws(JSONFieldError) -> EntryEvent {
                let action = response.actionIdentifier
                let text = (response as? UNTextInputNotificationResponse)?.userText
                return try .push(payload: payload(of: response.notification), action: action, text: text)
            }

            /// A notification that is shown while the app is in front.
            static func presented(_ notification: UNNotification) throws(JSONFieldError) -> EntryEvent {
                try .push(payload: payload(of: notification), interaction: "present")
            }

            /// The payload of a push; of a notification that the app has made itself, what a push would have said.
            private static func payload(of notification: UNNotification) -> JSONObject {
                let content = notification.request.content
                var payload = JSONObject(userInfo: content.userInfo)
                guard payload["aps"] == nil else { return payload }
                var aps: JSONObject = [
                    "alert": .object(["title": .string(content.title), "body": .string(content.body)])
                ]
                if let category = content.categoryIdentifier.nonempty { aps["category"] = .string(category) }
                payload["aps"] = .object(aps)
                return payload
            }
        #endif
    }

    extension String {
        /// `nil` if it is empty: then Apple's classes mean that there is none.
        fileprivate var nonempty: String? { isEmpty ? nil : self }
    }

    extension JSONObject {
        /// User info, sorted by key. Keys that are no texts are left out.
        init(userInfo: [AnyHashable: Any]) {
            let members = userInfo.compactMap { key, value in
                (key.base as? String).map { ($0, JSONValue(plist: value)) }
            }
            self.init(members.sorted { $0.0 < $1.0 })
        }
    }

    extension JSONValue {
        /// A value of a property list in the form of ``/SceneEntryPoints/PropertyListValue``; what cannot be in one is `null`.
        init(plist value: Any) {
            if let number = value as? NSNumber, type(of: value) is AnyClass {
                self.init(number)
                return
            }
            switch value {
            case let text as String: self = .string(text)
            case let bool as Bool: self = .bool(bool)
            case let integer as Int: self = .integer(integer)
            case let number as Double: self = .number(number)
            case let date as Date: self = .object(["$date": .string(date.ISO8601Format())])
            case let data as Data: self = .object(["$data": .string(data.base64EncodedString())])
            case let url as URL: self = .object(["$url": .string(url.absoluteString)])
            case let uuid as UUID: self = .object(["$uuid": .string(uuid.uuidString)])
            case let values as [Any]: self = .array(values.map { JSONValue(plist: $0) })
            case let values as [AnyHashable: Any]: self = .object(JSONObject(userInfo: values))
            case let values as Set<AnyHashable>:
                // A set has no order; one that is the same in each run is taken.
                let elements = values.map { JSONValue(plist: $0.base) }.sorted { $0.text() < $1.text() }
                self = .object(["$set": .array(elements)])
            default: self = .null
            }
        }

        private init(_ number: NSNumber) {
            if type(of: number) == type(of: NSNumber(value: true)), number == 0 || number == 1,
                ["c", "B"].contains(String(cString: number.objCType))
            {
                self = .bool(number.boolValue)
            } else if ["f", "d"].contains(String(cString: number.objCType))
                || number.uint64Value > Int.max && number.doubleValue > 0
            {
                self = .number(number.doubleValue)
            } else {
                self = .integer(number.intValue)
            }
        }
    }
#endif
