import CPortAudio
import SpeechAudio
import Synchronization

/// An open, running stream of a device. It is closed with its last reference.
final class DeviceStream<Cell: StreamCell & ~Copyable>: Sendable {
  let device: AudioDevice
  let format: AudioFormat
  private let memory: StreamMemory<Cell>
  private let pointer: StreamPointer
  private let isClosed = Atomic(false)
  private let library: PortAudioLibrary

  init(
    pointer: StreamPointer, memory: StreamMemory<Cell>, device: AudioDevice, format: AudioFormat,
    library: PortAudioLibrary
  ) {
    self.pointer = pointer
    self.memory = memory
    self.device = device
    self.format = format
    self.library = library
  }

  deinit { close() }

  /// The memory that is shared with the callback. Not valid longer than the stream.
  var cell: UnsafeMutablePointer<Cell> { memory.cell }

  /// The delay between device and program, as reported by PortAudio.
  var latency: Duration { .nanoseconds(cell.pointee.latency.load(ordering: .relaxed)) }

  /// Ends the stream and discards what its device still holds. Returns at once. The device is
  /// released shortly after, and before anything that is opened later, unless it does not respond.
  /// May be called on any thread, more than once.
  func close(isLost: Bool = false) {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    memory.cell.pointee.shallEnd.store(true, ordering: .releasing)
    library.close(pointer, memory, isLost: isLost)
  }
}

/// PortAudio's pointer to a stream.
struct StreamPointer: @unchecked Sendable {
  // Unchecked because PortAudio's functions are called only by the library's owner, one at a time.
  let raw: UnsafeMutableRawPointer
}
