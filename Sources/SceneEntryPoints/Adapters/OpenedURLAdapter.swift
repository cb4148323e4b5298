/// An opened URL asks for itself.
struct OpenedURLAdapter: EntryPointAdapter {
    let name = "opened-url"
    let kinds: Set<EntryKind> = [.url]

    func adapt(_ event: EntryEvent) -> AdapterAnswer {
        guard case .url(let open) = event.content, let request = AdaptedRequest(opening: open.url) else {
            return .declined(reason: "not an absolute URL")
        }
        return .request(request)
    }
}
