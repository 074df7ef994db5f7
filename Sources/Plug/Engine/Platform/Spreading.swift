/// Spreads keys that differ in few bits over the upper bits of a product: Fibonacci hashing (Knuth, The Art of Computer
/// Programming, 6.4). It takes 64 bits whatever the size of a word.
@inlinable
func spread(_ key: UInt) -> UInt64 {
  UInt64(truncatingIfNeeded: key) &* 0x9E37_79B9_7F4A_7C15
}
