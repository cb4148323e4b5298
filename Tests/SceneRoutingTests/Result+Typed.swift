extension Result {
    /// What a throwing closure comes to.
    init(_ body: () throws(Failure) -> Success) {
        do {
            self = .success(try body())
        } catch {
            self = .failure(error)
        }
    }
}
