/// Folds numbers into 64 bits, the same in every process: `Hasher` is seeded per process.
@inline(__always)
func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    var z = (a ^ (b &* 0x9e37_79b9_7f4a_7c15)) &+ 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
}
