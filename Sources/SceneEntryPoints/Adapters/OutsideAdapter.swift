/// An adapter in another process, which answers later or not at all.
package struct OutsideAdapter: Hashable, Sendable {
    /// Counts registrations; of equal priorities the smaller is asked first.
    package let number: Int
    package let name: String
    package let priority: Int

    package init(number: Int, name: String, priority: Int) {
        self.number = number
        self.name = name
        self.priority = priority
    }
}
