import Dispatch
import SpeechAudio
import SpeechConcurrency
import Synchronization

/// A running microphone. It moves audio from the callback's ring to the reader, and monitors the
/// device.
final class PortAudioCapture: AudioCapture {
  private struct State {
    var machine: CaptureMachine
    var stream: DeviceStream<CaptureCell>?
    var reopening: Task<Void, Never>?
    var latency: Duration
  }

  let format: AudioFormat
  private let frameLength: Int
  private let reopenRequest: StreamRequest<CaptureCell>
  private let state: Guarded<State>
  /// The callers that wait for the next event.
  private let readers = WaitingLine<Void, AudioCaptureEvent?>()
  private let drain: DrainTimer

  init(
    stream: DeviceStream<CaptureCell>, device: AudioDeviceSelector, latency: Duration,
    backlog: Duration
  ) {
    format = stream.format
    frameLength = format.frames(in: StreamRequest<CaptureCell>.capturePeriod)
    // The format of a capture is constant, so its device has to return at the same rate.
    reopenRequest = .capture(
      device.lasting(for: stream.device), sampleRate: format.sampleRate, mayDiffer: false,
      latency: latency)
    state = Guarded(
      State(
        machine: CaptureMachine(
          format: format, deviceName: stream.device.name, backlog: backlog,
          now: MonotonicClock.nanoseconds()),
        stream: stream, latency: stream.latency))
    drain = DrainTimer(label: "speechkit.capture")
    drain.start { [weak self] in self?.tick() }
  }

  deinit {
    // No reader is left; the stream is closed with its last reference.
    drain.stop()
    state.withLock { $0.reopening?.cancel() }
  }

  var statistics: AudioStatistics {
    state.withLock { state in
      AudioStatistics(
        frames: state.machine.frames, lostFrames: state.machine.backlog.lostFrames,
        dropouts: state.machine.backlog.dropouts, latency: state.latency)
    }
  }

  func read() async throws -> AudioCaptureEvent? {
    try await readers.wait(for: (), nextEvent)
  }

  func stop() {
    let stream = state.withLock { state -> DeviceStream<CaptureCell>? in
      state.machine.stop(Self.pieces(of: state.stream, length: frameLength, whole: false))
      state.reopening?.cancel()
      state.reopening = nil
      defer { state.stream = nil }
      return state.stream
    }
    drain.stop()
    stream?.close()
    readers.serve(nextEvent)
  }

  /// Services the stream, 100 times a second.
  private func tick() {
    let abandoned = state.withLock { state -> DeviceStream<CaptureCell>? in
      let now = MonotonicClock.nanoseconds()
      var progress = CaptureMachine.Progress(delivered: 0, dropped: 0, hasFinished: false)
      var pieces: [[Int16]] = []
      if let cell = state.stream?.cell {
        // The end of a stream is read before its ring is emptied, so that nothing remains in it.
        progress.hasFinished = cell.pointee.hasFinished.load(ordering: .acquiring)
        pieces = Self.pieces(of: state.stream, length: frameLength, whole: !progress.hasFinished)
        progress.dropped = cell.pointee.dropped.load(ordering: .acquiring)
        progress.delivered = cell.pointee.delivered.load(ordering: .acquiring)
      }
      switch state.machine.tick(pieces, progress, now: now) {
      case nil:
        return nil
      case .letGo:
        defer { state.stream = nil }
        return state.stream
      case .reopen:
        state.reopening = Task { [weak self, reopenRequest] in
          let stream = try? await PortAudioLibrary.shared.open(reopenRequest, afresh: true)
          self?.reopened(stream)
        }
        return nil
      }
    }
    abandoned?.close(isLost: true)
    readers.serve(nextEvent)
  }

  private func reopened(_ stream: DeviceStream<CaptureCell>?) {
    let now = MonotonicClock.nanoseconds()
    state.withLock { state in
      if let stream, state.machine.reopened(now: now) {
        state.stream = stream
        state.latency = stream.latency
      } else {
        state.machine.reopenFailed(now: now)
      }
      state.reopening = nil
    }
  }

  /// The result for a reader: the next event, `nil` inside at the end, or no result while it has to
  /// wait.
  private func nextEvent() -> Result<AudioCaptureEvent?, any Error>? {
    state.withLock { state in
      if let event = state.machine.next() { return .success(event) }
      return state.machine.isStopped ? .success(nil) : nil
    }
  }

  /// Reads the ring in pieces of equal length, and the remainder unless only whole pieces are
  /// wanted. Must be called with the lock held, which makes the caller the ring's only reader.
  private static func pieces(
    of stream: DeviceStream<CaptureCell>?, length: Int, whole: Bool
  ) -> [[Int16]] {
    guard let cell = stream?.cell else { return [] }
    var pieces: [[Int16]] = []
    var waiting = cell.pointee.ring.count
    while waiting >= length || (!whole && waiting > 0) {
      let piece = cell.pointee.ring.read(upTo: min(length, waiting))
      waiting -= piece.count
      pieces.append(piece)
    }
    return pieces
  }
}
