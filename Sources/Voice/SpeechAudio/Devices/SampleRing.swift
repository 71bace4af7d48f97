import Synchronization

/// A ring buffer of samples between two threads that do not wait for each other: one writes, one
/// reads.
///
/// It is made for the callback of an audio device: `init` allocates all memory, and writing and
/// reading copy, advance one counter and return. Neither locks, allocates or calls the system.
/// There may be one writer and one reader at a time; if there are more on either side, they share a
/// lock.
package struct SampleRing: ~Copyable, @unchecked Sendable {
  // Unchecked because the compiler cannot see that the two sides touch different parts of
  // `storage`: the writer only what lies beyond `written`, the reader only what lies before it.
  // Each counter is changed by one side, released after its copy, and acquired by the other side
  // before its own copy.
  private let storage: UnsafeMutablePointer<Int16>
  private let mask: Int
  /// The numbers of samples written and read in total; their difference is the content.
  private let written = Atomic<Int>(0)
  private let taken = Atomic<Int>(0)

  /// Creates an empty ring for at least that many samples, rounded up to a power of two.
  package init(capacity: Int) {
    var size = 1
    while size < capacity { size *= 2 }
    storage = .allocate(capacity: size)
    storage.initialize(repeating: 0, count: size)
    mask = size - 1
  }

  deinit { storage.deallocate() }

  package var capacity: Int { mask + 1 }

  /// The number of waiting samples. The reader may take that many, and never finds fewer.
  package var count: Int {
    // The reader's counter first: read last, it might have overtaken the writer's old value.
    let start = taken.load(ordering: .acquiring)
    return written.load(ordering: .acquiring) - start
  }

  package var totalRead: Int { taken.load(ordering: .acquiring) }

  /// The number of samples that fit now. The writer may write that many, and never finds less room.
  package var space: Int { Swift.max(0, capacity - count) }

  /// Writes as many samples as fit and returns their number. For the one writer.
  package func write(_ samples: UnsafeBufferPointer<Int16>) -> Int {
    guard let source = samples.baseAddress else { return 0 }
    let end = written.load(ordering: .relaxed)
    let room = capacity - (end - taken.load(ordering: .acquiring))
    let amount = samples.count < room ? samples.count : room
    guard amount > 0 else { return 0 }
    let position = end & mask
    let untilWrap = capacity - position
    let first = amount < untilWrap ? amount : untilWrap
    (storage + position).update(from: source, count: first)
    if amount > first { storage.update(from: source + first, count: amount - first) }
    written.store(end + amount, ordering: .releasing)
    return amount
  }

  /// Reads as many samples as are wanted and available, and returns their number. For the one
  /// reader.
  package func read(into target: UnsafeMutableBufferPointer<Int16>) -> Int {
    guard let destination = target.baseAddress else { return 0 }
    let start = taken.load(ordering: .relaxed)
    let waiting = written.load(ordering: .acquiring) - start
    let amount = target.count < waiting ? target.count : waiting
    guard amount > 0 else { return 0 }
    let position = start & mask
    let untilWrap = capacity - position
    let first = amount < untilWrap ? amount : untilWrap
    destination.update(from: storage + position, count: first)
    if amount > first { (destination + first).update(from: storage, count: amount - first) }
    taken.store(start + amount, ordering: .releasing)
    return amount
  }
}

extension SampleRing {
  /// Reads at most that many samples into a new array. For the one reader, and not for a callback,
  /// because it allocates.
  package func read(upTo limit: Int) -> [Int16] {
    let amount = Swift.min(limit, count)
    guard amount > 0 else { return [] }
    return [Int16](unsafeUninitializedCapacity: amount) { buffer, filled in
      filled = read(into: UnsafeMutableBufferPointer(rebasing: buffer[0..<amount]))
    }
  }
}
