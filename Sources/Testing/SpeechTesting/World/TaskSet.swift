/// The numbers of tasks.
///
/// Tasks are numbered in the order in which they are created, so most numbers have neighbours, and
/// a set of bits is much smaller than a set of numbers.
struct TaskSet {
  private var bits: [UInt64: UInt64] = [:]

  func contains(_ number: UInt64) -> Bool {
    bits[number >> 6, default: 0] & (1 << (number & 63)) != 0
  }

  mutating func insert(_ number: UInt64) {
    bits[number >> 6, default: 0] |= 1 << (number & 63)
  }
}
