import SpeechAudio
import Synchronization

/// The memory that is shared by the callback of a stream and the rest of the program. It is
/// allocated before the stream starts, and every field is an atomic or a lock-free ring.
protocol StreamCell: ~Copyable, Sendable {
  /// True after PortAudio has ended the stream, by itself or on request.
  var hasFinished: Atomic<Bool> { get }
  /// A request to end the stream, which discards what is in the device.
  var shallEnd: Atomic<Bool> { get }
  /// The delay between device and program in nanoseconds, as reported by PortAudio; known before
  /// the first call of the callback.
  var latency: Atomic<Int> { get }
}

/// The shared memory of a recording stream.
struct CaptureCell: StreamCell, ~Copyable {
  let ring: SampleRing
  /// The frames that the device delivered, including those that did not fit into the ring.
  let delivered = Atomic<Int>(0)
  /// Frames that did not fit into the ring.
  let dropped = Atomic<Int>(0)
  let hasFinished = Atomic<Bool>(false)
  let shallEnd = Atomic<Bool>(false)
  let latency = Atomic<Int>(0)

  init(capacity: Int) {
    ring = SampleRing(capacity: capacity)
  }
}

/// The shared memory of a playing stream.
struct PlaybackCell: StreamCell, ~Copyable {
  let ring: SampleRing
  let sampleRate: Int
  /// True if the callback ignores the ring and plays silence: paused, or stopped and about to end.
  let isHeld = Atomic<Bool>(false)
  /// The number of buffers that were requested, for the watchdog.
  let callbacks = Atomic<Int>(0)
  /// The time at which the first frame of this stream would have been heard if it had played
  /// without a gap up to the newest frame: nanoseconds of the monotonic clock; 0 before any.
  let origin = Atomic<Int>(0)
  /// The silence that was played since the ring ran empty. It counts as lost frames if more audio
  /// follows.
  let starved = Atomic<Int>(0)
  let lostFrames = Atomic<Int>(0)
  let dropouts = Atomic<Int>(0)
  let hasFinished = Atomic<Bool>(false)
  let shallEnd = Atomic<Bool>(false)
  let latency = Atomic<Int>(0)

  init(capacity: Int, sampleRate: Int) {
    ring = SampleRing(capacity: capacity)
    self.sampleRate = sampleRate
  }

  /// The number of frames of this stream that have been heard at a time, as far as the device
  /// reports it.
  func heard(at now: Int) -> Int {
    // In the opposite order of the callback, so that the origin is never older than the count.
    let taken = ring.totalRead
    let origin = origin.load(ordering: .acquiring)
    guard origin != 0, now > origin else { return 0 }
    let frames = Double(now - origin) * Double(sampleRate) / 1e9
    return Int(min(frames, Double(taken)))
  }
}

/// The owner of a cell's memory. Every user of the memory keeps a reference; a callback does not
/// count, so the stream's owner keeps one until PortAudio has closed the stream.
final class StreamMemory<Cell: StreamCell & ~Copyable>: @unchecked Sendable {
  // Unchecked because the pointer never changes and a cell consists of atomics and rings.
  let cell: UnsafeMutablePointer<Cell>

  init(_ cell: consuming Cell) {
    self.cell = .allocate(capacity: 1)
    self.cell.initialize(to: cell)
  }

  deinit {
    cell.deinitialize(count: 1)
    cell.deallocate()
  }
}
