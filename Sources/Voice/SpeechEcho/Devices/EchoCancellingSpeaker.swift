import SpeechAudio
import SpeechConcurrency

/// A loudspeaker that reports what it has played.
struct EchoCancellingSpeaker: AudioOutput {
  let inner: any AudioOutput
  let reference: PlaybackReference

  var name: String { inner.name }

  func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    let converter = try Resampler(from: format, to: reference.format)
    return EchoCancellingPlayback(
      inner: try await inner.open(format), converter: converter, reference: reference)
  }
}

private final class EchoCancellingPlayback: AudioPlayback {
  private let inner: any AudioPlayback
  private let reference: PlaybackReference
  private let id: Int
  private let converter: Guarded<Resampler>

  init(
    inner: any AudioPlayback, converter: consuming sending Resampler, reference: PlaybackReference
  ) {
    self.inner = inner
    self.reference = reference
    self.converter = Guarded(converter)
    id = reference.add(inner)
  }

  deinit { reference.end(id) }

  var format: AudioFormat { inner.format }
  var statistics: AudioStatistics { inner.statistics }
  var playedFrames: Int { inner.playedFrames }

  func write(_ buffer: PCMBuffer) async throws {
    try inner.check(buffer)
    reference.observe()
    // Before it is written, because the device may play it before `write(_:)` returns.
    let converted = try converter.withLock { converter in try converter.process(buffer) }
    reference.append(converted, frames: buffer.frameCount, to: id)
    try await inner.write(buffer)
  }

  func waitUntilPlayed(_ frame: Int) async throws {
    try await inner.waitUntilPlayed(frame)
  }

  func finish() async throws {
    reference.append(converter.withLock { $0.finish() }, frames: 0, to: id)
    try await inner.finish()
    reference.observe()
    reference.end(id)
  }

  func pause() { change { inner.pause() } }

  func resume() { change { inner.resume() } }

  func stop() {
    change { inner.stop() }
    reference.end(id)
  }

  /// Reads the counter before and after a change of its pace.
  private func change(_ body: () -> Void) {
    reference.observe()
    body()
    reference.observe()
  }
}
