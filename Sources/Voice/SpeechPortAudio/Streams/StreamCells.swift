import SpeechAudio
import Synchronization

/// What the callback of a stream and the rest of the program share: plain memory, taken before the
/// stream starts, in which every field is an atomic or a lock-free ring.
protocol StreamCell: ~Copyable, Sendable {
  /// Set once PortAudio has ended the stream, by itself or because we asked.
  var hasFinished: Atomic<Bool> { get }
  /// Asks the callback to end the stream: it then drops what is in the device.
  var shallEnd: Atomic<Bool> { get }
  /// The delay between device and program in nanoseconds, as PortAudio states it; known from before the
  /// first call of the callback.
  var latency: Atomic<Int> { get }
}

/// The shared memory of a recording stream.
struct CaptureCell: StreamCell, ~Copyable {
  let ring: SampleRing
  /// Frames that the device delivered, also those that did not fit into the ring.
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
  /// Whether the callback leaves the ring alone and plays silence: paused, or stopped and about to end.
  let isHeld = Atomic<Bool>(false)
  /// How many buffers were asked for; a watchdog's sign of life.
  let callbacks = Atomic<Int>(0)
  /// When the first frame of this stream was or would have been heard, had it played without a break
  /// up to the newest frame that was handed over: nanoseconds of the monotonic clock; 0 before any.
  let origin = Atomic<Int>(0)
  /// Silence that was played since the ring ran empty. It turns into lost frames when sound follows
  /// before anybody has said that none would.
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

  /// How many frames of this stream have been heard at that time, as well as the device can tell.
  func heard(at now: Int) -> Int {
    // In the opposite order of the callback, so that the origin is never older than the count.
    let taken = ring.totalRead
    let origin = origin.load(ordering: .acquiring)
    guard origin != 0, now > origin else { return 0 }
    let frames = Double(now - origin) * Double(sampleRate) / 1e9
    return Int(min(frames, Double(taken)))
  }
}

/// Owns the memory of a cell. Whoever may still reach the memory holds on to this; a callback does not
/// count, so the stream's owner holds on until PortAudio has closed the stream.
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
