/// The activity of a universal link asks for its web page.
struct BrowsingWebAdapter: EntryPointAdapter {
    let name = "browsing-web"
    let kinds: Set<EntryKind> = [.activity]

    func adapt(_ event: EntryEvent) -> AdapterAnswer {
        guard case .activity(let activity) = event.content, activity.activityType == UserActivity.browsingWeb else {
            return .declined(reason: "activityType is not \(UserActivity.browsingWeb)")
        }
        guard let url = activity.webpageURL else { return .declined(reason: "webpageURL is absent") }
        return .request(.universalLink(url))
    }
}
