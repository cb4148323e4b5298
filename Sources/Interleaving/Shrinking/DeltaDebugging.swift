/// Leaves out ever smaller parts of a list as long as it still fails: what is left fails, and no longer does without any one
/// of its items, unless the test gave up before.
/// - Parameter remaining: Of a shorter list what is left of it if it fails, which may be less than was given; nil if it passes.
func deltaDebug<Item, E: Error>(
    _ items: [Item],
    _ remaining: ([Item]) throws(E) -> [Item]?
) throws(E) -> [Item] {
    var items = items
    var size = items.count
    while size > 0 {
        var start = 0
        var isSmaller = false
        while start < items.count {
            let rest = Array(items[..<start] + items[min(start + size, items.count)...])
            if let left = try remaining(rest), left.count < items.count {
                items = left
                isSmaller = true
            } else {
                start += size
            }
        }
        // At the finest, once more as long as something goes: what was needed may not be any more.
        size = size == 1 && isSmaller ? 1 : size / 2
    }
    return items
}
