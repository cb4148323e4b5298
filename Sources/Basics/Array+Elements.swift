extension Array where Element: Copyable {
    /// The elements, which must be values, not objects. It is `span` under another name, because that comes with a system of Apple's
    /// that is newer than the oldest for which the package is declared.
    @inlinable
    package var elements: Span<Element> {
        @_lifetime(borrow self)
        borrowing get {
            #if canImport(Darwin)
                // An array of values keeps its elements in one piece of memory, which lives as long as the array.
                let memory = withUnsafeBufferPointer { $0 }
                return _overrideLifetime(Span(_unsafeElements: memory), borrowing: self)
            #else
                return span
            #endif
        }
    }
}
