import SpeechConcurrency

/// A microphone in memory: it captures the audio of its script, at the pace of its clock.
///
/// Script times count from the first `open()`. With a `VirtualClock` an open capture has to be read
/// or stopped, or the time stands still.
public final class ScriptedMicrophone: AudioInput {
  /// The name `scripted microphone`.
  public let name = "scripted microphone"

  private let clock: any DeviceClock
  private let state: Guarded<(script: AudioScript, origin: Duration?)>

  /// Creates a microphone that captures the script.
  public init(_ script: AudioScript = AudioScript(), clock: any DeviceClock = VirtualClock()) {
    self.clock = clock
    state = Guarded((script, nil))
  }

  /// Creates a microphone that captures that audio with a moment of silence around it, and then
  /// ends.
  public convenience init(playing audio: PCMBuffer, clock: any DeviceClock = VirtualClock()) {
    let lead = Duration.milliseconds(500)
    self.init(
      AudioScript(format: audio.format).saying(audio, at: lead)
        .ending(at: lead + audio.duration + .seconds(1)),
      clock: clock)
  }

  /// Adds audio to the script, after that delay from now.
  public func say(_ audio: PCMBuffer, after delay: Duration = .zero) {
    let now = clock.time
    state.withLock { state in
      let elapsed = now - (state.origin ?? now)
      state.script = state.script.saying(audio, at: elapsed + delay)
    }
  }

  /// Starts capturing the script.
  public func open() async throws -> any AudioCapture {
    let now = clock.time
    let (format, elapsed) = state.withLock { state in
      let origin = state.origin ?? now
      state.origin = origin
      return (state.script.format, now - origin)
    }
    return ScriptedCapture(
      microphone: self, timer: clock.makeTimer(), format: format, openedAt: now,
      firstFrame: format.frames(in: elapsed))
  }

  fileprivate var script: AudioScript { state.withLock(\.script) }
}

private final class ScriptedCapture: AudioCapture {
  private struct State {
    var next: Int
    var isStopped = false
    var isInterrupted = false
    /// The events before the next audio.
    var pending: [AudioCaptureEvent] = []
  }

  private static let blockDuration = Duration.milliseconds(20)

  let format: AudioFormat
  private let microphone: ScriptedMicrophone
  private let timer: any DeviceTimer
  private let openedAt: Duration
  private let firstFrame: Int
  private let state: Guarded<State>

  init(
    microphone: ScriptedMicrophone, timer: any DeviceTimer, format: AudioFormat,
    openedAt: Duration, firstFrame: Int
  ) {
    self.microphone = microphone
    self.timer = timer
    self.format = format
    self.openedAt = openedAt
    self.firstFrame = firstFrame
    state = Guarded(State(next: firstFrame))
  }

  deinit { timer.cancel() }

  var statistics: AudioStatistics {
    AudioStatistics(frames: state.withLock(\.next) - firstFrame)
  }

  func read() async throws -> AudioCaptureEvent? {
    let script = microphone.script
    if let event = takePending() { return event }
    let (start, isStopped, isInterrupted) = state.withLock {
      ($0.next, $0.isStopped, $0.isInterrupted)
    }
    let endOfBlock = start + format.frames(in: Self.blockDuration)
    let endOfScript = script.endFrame(before: endOfBlock + 1)
    guard !isStopped, start < endOfScript else {
      stop()
      return nil
    }
    if let away = script.interruptions.first(where: { $0.start <= start && start < $0.end }) {
      return try await miss(away, isInterrupted: isInterrupted)
    }
    let nextInterruption = script.interruptions.map(\.start).filter { $0 > start }.min() ?? .max
    let end = min(endOfBlock, endOfScript, nextInterruption)
    guard try await reach(end) else { return nil }
    state.withLock { $0.next = end }
    // Rendered after the wait, so that audio that was added in the meantime is captured.
    return .audio(microphone.script.render(start..<end))
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    timer.cancel()
  }

  private func miss(
    _ away: AudioScript.Interruption, isInterrupted: Bool
  ) async throws -> AudioCaptureEvent? {
    guard isInterrupted else {
      state.withLock { $0.isInterrupted = true }
      return .interrupted(
        .deviceLost(name: microphone.name, reason: "the script disconnects it"))
    }
    guard try await reach(away.end) else { return nil }
    state.withLock { state in
      state.pending = [.gap(frames: away.end - state.next), .resumed]
      state.next = away.end
      state.isInterrupted = false
    }
    return takePending()
  }

  private func takePending() -> AudioCaptureEvent? {
    state.withLock { $0.pending.isEmpty ? nil : $0.pending.removeFirst() }
  }

  /// Waits until that frame has been captured; false if the capture was stopped before.
  private func reach(_ frame: Int) async throws -> Bool {
    do {
      try await timer.sleep(
        until: openedAt + format.duration(ofFrames: frame - firstFrame))
      return true
    } catch {
      guard state.withLock(\.isStopped), !Task.isCancelled else { throw error }
      return false
    }
  }
}
