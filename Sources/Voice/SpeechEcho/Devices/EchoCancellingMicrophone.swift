import SpeechAudio
import SpeechConcurrency

/// A microphone whose captures contain no echo.
struct EchoCancellingMicrophone: AudioInput {
  let inner: any AudioInput
  let reference: PlaybackReference
  let configuration: EchoCancellerConfiguration
  /// The lead of the reference; `nil` for the device's default.
  let lead: Duration?
  let latest: Guarded<EchoStatistics?>

  /// The lead for devices whose reported delays are not exact to the millisecond.
  private static let defaultLead = Duration.milliseconds(40)

  var name: String { inner.name }

  func checkAvailability() async throws { try await inner.checkAvailability() }

  func open() async throws -> any AudioCapture {
    // Created before the device is opened, so that nothing is captured if it fails.
    let canceller = try EchoCanceller(format: reference.format, configuration: configuration)
    let capture = try await inner.open()
    // A device without delays is one in memory, and its times are exact.
    let lead = lead ?? (capture.statistics.latency > .zero ? Self.defaultLead : .zero)
    do {
      return EchoCancellingCapture(
        inner: capture, lead: lead,
        cleaner: try CaptureCleaner(
          canceller: canceller, input: capture.format, reference: reference,
          lead: lead),
        reference: reference, latest: latest)
    } catch {
      capture.stop()
      throw error
    }
  }
}

private final class EchoCancellingCapture: AudioCapture {
  private struct State: ~Copyable {
    var cleaner: CaptureCleaner
    var ready: [AudioCaptureEvent] = []
    /// The end of the capture, reported after the events that are ready.
    var ending: Result<Void, any Error>?
  }

  let format: AudioFormat
  private let inner: any AudioCapture
  private let reference: PlaybackReference
  private let latest: Guarded<EchoStatistics?>
  private let lead: Duration
  private let state: Guarded<State>

  init(
    inner: any AudioCapture, lead: Duration, cleaner: consuming sending CaptureCleaner,
    reference: PlaybackReference, latest: Guarded<EchoStatistics?>
  ) {
    self.inner = inner
    self.lead = lead
    self.reference = reference
    self.latest = latest
    format = reference.format
    state = Guarded(State(cleaner: cleaner))
  }

  var statistics: AudioStatistics {
    var statistics = inner.statistics
    let ratio = Double(format.sampleRate) / Double(inner.format.sampleRate)
    statistics.frames = Int((Double(statistics.frames) * ratio).rounded())
    statistics.lostFrames = Int((Double(statistics.lostFrames) * ratio).rounded())
    statistics.latency += EchoCanceller.latency + lead
    return statistics
  }

  func stop() { inner.stop() }

  func read() async throws -> AudioCaptureEvent? {
    while true {
      let next = state.withLock { state -> Result<AudioCaptureEvent?, any Error>? in
        if !state.ready.isEmpty { return .success(state.ready.removeFirst()) }
        return state.ending?.map { nil }
      }
      if let next { return try next.get() }
      let event: AudioCaptureEvent?
      do {
        event = try await inner.read()
      } catch let error as CancellationError {
        throw error
      } catch {
        end(.failure(error))
        continue
      }
      guard let event else {
        end(.success(()))
        continue
      }
      try take(event)
    }
  }

  private func take(_ event: AudioCaptureEvent) throws {
    // Both at the same time, and without holding the lock, because they take locks of others.
    reference.observe()
    let (statistics, tick) = (inner.statistics, reference.now)
    let known = try state.withLock { state in
      state.ready += try state.cleaner.process(event, statistics, at: tick)
      return state.cleaner.statistics
    }
    if let known { latest.withLock { $0 = known } }
  }

  private func end(_ ending: Result<Void, any Error>) {
    state.withLock { state in
      state.ending = ending
      do {
        state.ready += try state.cleaner.finish()
      } catch {
        state.ending = .failure(error)
      }
    }
  }
}
