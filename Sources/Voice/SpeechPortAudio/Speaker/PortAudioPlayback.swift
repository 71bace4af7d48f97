import Dispatch
import SpeechAudio
import SpeechConcurrency
import Synchronization

/// A running loudspeaker. It moves audio from the writer to the callback's ring, reports what was
/// heard, and monitors the device.
final class PortAudioPlayback: AudioPlayback {
  /// The audio that is taken from a writer at a time.
  static let slice = Duration.milliseconds(100)

  private struct State: ~Copyable {
    var machine: PlaybackMachine
    var stream: DeviceStream<PlaybackCell>?
    var converter: Resampler
    var reopening: Task<Void, Never>?
    /// The frames that were written, and those known to be heard, in the playback's own format.
    var written = 0
    var played = 0
    /// The statistics of earlier streams of this playback.
    var past = AudioStatistics()
  }

  /// A condition that a caller waits for, in frames of the playback's own format.
  private typealias Wish = PlaybackMachine.Wish

  let format: AudioFormat
  private let reopenRequest: StreamRequest<PlaybackCell>
  private let state: Guarded<State>
  private let callers = WaitingLine<Wish, Void>()
  private let drain: DrainTimer

  init(
    stream: DeviceStream<PlaybackCell>, format: AudioFormat, speaker: PortAudioSpeaker
  ) throws(AudioError) {
    self.format = format
    // The pending audio has the rate of the device, so the device has to return at that rate.
    reopenRequest = speaker.request(
      speaker.device.lasting(for: stream.device), sampleRate: stream.format.sampleRate,
      mayDiffer: false)
    state = Guarded(
      State(
        machine: PlaybackMachine(
          deviceName: stream.device.name, target: stream.format.frames(in: speaker.buffered),
          returnTimeout: speaker.returnTimeout, now: MonotonicClock.nanoseconds()),
        stream: stream, converter: try Resampler(from: format, to: stream.format)))
    drain = DrainTimer(label: "speechkit.playback")
    drain.start { [weak self] in self?.tick() }
  }

  deinit {
    // No writer is left; the stream is closed with its last reference.
    drain.stop()
    state.withLock { $0.reopening?.cancel() }
  }

  var statistics: AudioStatistics {
    state.withLock { state in
      var statistics = state.past
      if let stream = state.stream { Self.add(stream, to: &statistics) }
      return statistics
    }
  }

  var playedFrames: Int {
    state.withLock { state in
      Self.note(&state, now: MonotonicClock.nanoseconds())
      return state.played
    }
  }

  /// Writes the next audio. For one writer at a time.
  func write(_ buffer: PCMBuffer) async throws {
    try check(buffer)
    let length = max(1, format.frames(in: Self.slice))
    var start = 0
    repeat {
      try await callers.wait(for: .room, answer)
      let slice = buffer.slice(start..<start + length)
      try state.withLock { state in
        guard state.machine.acceptsSound else { return }
        state.written += slice.frameCount
        state.machine.append(try state.converter.process(slice).samples)
        Self.pump(&state)
      }
      start += length
    } while start < buffer.frameCount
  }

  func waitUntilPlayed(_ frame: Int) async throws {
    try await callers.wait(for: .heard(frame), answer)
  }

  func finish() async throws {
    state.withLock { state in
      guard state.machine.acceptsSound else { return }
      state.machine.append(state.converter.finish().samples)
      state.machine.beginFinishing()
      Self.pump(&state)
    }
    try await callers.wait(for: .end, answer)
    close { $0.end() }
  }

  func pause() { hold(true) }

  func resume() { hold(false) }

  func stop() {
    close { $0.stop() }
  }

  private func hold(_ isHeld: Bool) {
    state.withLock { state in
      state.machine.hold(isHeld)
      state.stream?.cell.pointee.isHeld.store(isHeld, ordering: .releasing)
    }
  }

  private func close(_ ending: (inout PlaybackMachine) -> Void) {
    let stream = state.withLock { state -> DeviceStream<PlaybackCell>? in
      Self.note(&state, now: MonotonicClock.nanoseconds())
      // Silence first: the callback ignores the ring from its next call.
      state.stream?.cell.pointee.isHeld.store(true, ordering: .releasing)
      ending(&state.machine)
      state.reopening?.cancel()
      state.reopening = nil
      return Self.release(&state)
    }
    drain.stop()
    stream?.close()
    callers.serve(answer)
  }

  /// Services the stream, 100 times a second.
  private func tick() {
    let abandoned = state.withLock { state -> DeviceStream<PlaybackCell>? in
      let now = MonotonicClock.nanoseconds()
      Self.note(&state, now: now)
      Self.pump(&state)
      let cell = state.stream?.cell
      let action = state.machine.tick(
        callbacks: cell?.pointee.callbacks.load(ordering: .acquiring) ?? 0,
        hasFinished: cell?.pointee.hasFinished.load(ordering: .acquiring) ?? false, now: now)
      switch action {
      case nil:
        return nil
      case .letGo:
        return Self.release(&state)
      case .reopen:
        state.reopening = Task { [weak self, reopenRequest] in
          let stream = try? await PortAudioLibrary.shared.open(reopenRequest, afresh: true)
          self?.reopened(stream)
        }
        return nil
      }
    }
    abandoned?.close(isLost: true)
    callers.serve(answer)
  }

  private func reopened(_ stream: DeviceStream<PlaybackCell>?) {
    let now = MonotonicClock.nanoseconds()
    state.withLock { state in
      state.reopening = nil
      guard let stream, state.machine.reopened(now: now) else {
        state.machine.reopenFailed(now: now)
        return
      }
      stream.cell.pointee.isHeld.store(state.machine.isHeld, ordering: .releasing)
      state.stream = stream
      Self.pump(&state)
    }
  }

  private func answer(_ wish: Wish) -> Result<Void, any Error>? {
    state.withLock { Self.answer(wish, $0) }
  }
}

// Functions that are called with the lock held, which makes the caller the ring's only writer.
extension PortAudioPlayback {
  private static func pump(_ state: inout State) {
    guard let cell = state.stream?.cell else { return }
    state.machine.send { cell.pointee.ring.write($0) }
  }

  private static func note(_ state: inout State, now: Int) {
    if let cell = state.stream?.cell {
      let heard = cell.pointee.heard(at: state.machine.believable(now))
      state.machine.note(taken: cell.pointee.ring.totalRead, heard: heard)
    }
    let machine = state.machine
    let isAll = machine.heard == machine.added
    let played =
      isAll
      ? state.written
      : machine.heard * state.converter.inputFormat.sampleRate
        / state.converter.outputFormat.sampleRate
    state.played = max(state.played, min(played, state.written))
  }

  private static func release(_ state: inout State) -> DeviceStream<PlaybackCell>? {
    guard let stream = state.stream else { return nil }
    add(stream, to: &state.past)
    state.stream = nil
    return stream
  }

  private static func add(
    _ stream: DeviceStream<PlaybackCell>, to statistics: inout AudioStatistics
  ) {
    let cell = stream.cell
    statistics.frames += cell.pointee.ring.totalRead
    statistics.lostFrames += cell.pointee.lostFrames.load(ordering: .relaxed)
    statistics.dropouts += cell.pointee.dropouts.load(ordering: .relaxed)
    statistics.latency = stream.latency
  }

  private static func answer(_ wish: Wish, _ state: borrowing State) -> Result<Void, any Error>? {
    let answer =
      switch wish {
      case .room, .end: state.machine.answer(wish)
      case .heard(let frame):
        frame <= state.played ? .fulfilled : state.machine.answer(.heard(.max))
      }
    switch answer {
    case nil: return nil
    case .fulfilled: return .success(())
    case .cancelled: return .failure(CancellationError())
    case .failed(let error): return .failure(error)
    }
  }
}
