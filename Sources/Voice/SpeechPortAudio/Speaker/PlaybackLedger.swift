/// The frames of a playback from the first that was not heard to the last that was written: what the
/// device still has to be given, and what it has to be given again after it was lost.
struct PlaybackLedger {
  private var samples: [Int16] = []
  /// The number of the frame at the head of `samples`.
  private var base = 0
  /// How many frames were added, handed to the device, and heard, since the beginning.
  private(set) var added = 0
  private(set) var sent = 0
  private(set) var heard = 0

  /// Adds frames at the end.
  mutating func append(_ new: some Collection<Int16>) {
    samples.append(contentsOf: new)
    added += new.count
  }

  /// Offers what was not sent to the body, which tells how much of it was taken.
  mutating func send(_ body: (UnsafeBufferPointer<Int16>) -> Int) {
    guard sent < added else { return }
    let taken = samples.withUnsafeBufferPointer { all in
      body(UnsafeBufferPointer(rebasing: all[(sent - base)...]))
    }
    sent += taken
  }

  /// Notes that all before this frame was heard, and forgets it.
  mutating func markHeard(_ frame: Int) {
    heard = min(max(heard, frame), sent)
    let done = heard - base
    // Moving the rest to the front is put off until it is worth it.
    guard done > 8_192 || (done > 0 && done == samples.count) else { return }
    samples.removeFirst(done)
    base = heard
  }

  /// The device is gone: what was sent and not heard has to be sent again.
  mutating func rewind() {
    sent = heard
  }
}
