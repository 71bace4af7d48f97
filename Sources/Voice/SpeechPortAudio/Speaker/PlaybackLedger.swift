/// The frames of a playback from the first that was not heard to the last that was written: those
/// that the device still needs, and those that it needs again after it was lost.
struct PlaybackLedger {
  private var samples: [Int16] = []
  /// The number of the first frame in `samples`.
  private var base = 0
  /// The numbers of frames added, sent to the device, and heard since the beginning.
  private(set) var added = 0
  private(set) var sent = 0
  private(set) var heard = 0

  mutating func append(_ new: some Collection<Int16>) {
    samples.append(contentsOf: new)
    added += new.count
  }

  /// Offers the frames that were not sent to the body, which returns the number that it accepted.
  mutating func send(_ body: (UnsafeBufferPointer<Int16>) -> Int) {
    guard sent < added else { return }
    let taken = samples.withUnsafeBufferPointer { all in
      body(UnsafeBufferPointer(rebasing: all[(sent - base)...]))
    }
    sent += taken
  }

  /// Records that all frames before this one were heard, and discards them.
  mutating func markHeard(_ frame: Int) {
    heard = min(max(heard, frame), sent)
    let done = heard - base
    // Moving the rest to the front is worthwhile only occasionally.
    guard done > 8_192 || (done > 0 && done == samples.count) else { return }
    samples.removeFirst(done)
    base = heard
  }

  /// Handles the loss of the device: frames that were sent and not heard have to be sent again.
  mutating func rewind() {
    sent = heard
  }
}
