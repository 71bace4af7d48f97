import Foundation
import SpeechAudio
import SpeechConcurrency

extension VoiceEngine {
  /// Synthesises a text into an audio file, piece by piece, and returns its duration. The extension
  /// determines the container.
  ///
  /// The file appears when it is complete; an older one of that name is unchanged until then. A
  /// failed or cancelled synthesis leaves no file.
  ///
  /// - Throws: the engine's error; `AudioError` when the file cannot be written.
  @discardableResult
  public func write(
    _ request: VoiceEngineRequest, configuration: Configuration, to url: URL
  ) async throws -> Duration {
    try await SoundWriting(.file(url)).write(
      streamAudio(request: request, configuration: configuration)
    ).duration
  }

  /// Synthesises a text into an audio file, and keeps the audio so far when the task is cancelled.
  ///
  /// The result is then a complete file of the beginning, and no error is thrown. Before the first
  /// audio there is no file, and the duration is zero.
  package func writeUntilCancelled(
    _ request: VoiceEngineRequest, configuration: Configuration, to url: URL
  ) async throws -> SpokenFile {
    try await SoundWriting(.file(url)).write(
      streamAudio(request: request, configuration: configuration), keepsParts: true)
  }

  /// Synthesises a text as WAV into a descriptor that stays the caller's, such as standard output.
  package func write(
    _ request: VoiceEngineRequest, configuration: Configuration, toDescriptor descriptor: Int32
  ) async throws {
    _ = try await SoundWriting(.descriptor(descriptor)).write(
      streamAudio(request: request, configuration: configuration))
  }
}

/// The result of synthesising a text into a file.
package struct SpokenFile: Sendable, Equatable {
  package var duration = Duration.zero
  /// True if the file contains all of the text.
  package var isWhole = false
}

/// Writes on a queue of its own, because disks and pipes block.
private actor SoundWriting {
  enum Place: Sendable {
    case file(URL)
    case descriptor(Int32)
  }

  private let executor = SerialQueueExecutor(label: "SpeechKit.writing")
  private let place: Place

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(_ place: Place) {
    self.place = place
  }

  /// Writes all pieces. After an error there is no file, unless the task was cancelled and the
  /// beginning is to be kept.
  func write(
    _ chunks: AsyncThrowingStream<VoiceEngineChunk, any Error>, keepsParts: Bool = false
  ) async throws -> SpokenFile {
    var writer: SoundWriter?
    var spoken = SpokenFile()
    do {
      for try await chunk in chunks {
        if writer == nil { writer = try SoundWriter(place, chunk.audio.format) }
        try writer?.write(chunk.audio)
        spoken.duration += chunk.audio.duration
      }
      // A stream whose task is cancelled may end without an error.
      try Task.checkCancellation()
      guard spoken.duration > .zero, var file = writer.take() else {
        throw SpeechSynthesisProviderError.invalidText
      }
      try file.finish()
      spoken.isWhole = true
      return spoken
    } catch {
      // A write that was interrupted by the cancellation reports the cancellation.
      guard Task.isCancelled else { throw error }
      guard keepsParts else { throw CancellationError() }
      guard var file = writer.take() else { return SpokenFile() }
      try file.finish()
      return spoken
    }
  }
}

/// A file in a format that its container supports.
private struct SoundWriter: ~Copyable {
  private var file: AudioFileWriter
  private var resampler: Resampler?

  init(_ place: SoundWriting.Place, _ format: AudioFormat) throws {
    switch place {
    case .file(let url):
      let stored = format.accepted(by: AudioContainer(pathExtension: url.pathExtension))
      resampler = stored == format ? nil : try Resampler(from: format, to: stored)
      file = try AudioFileWriter(url, format: stored)
    case .descriptor(let descriptor):
      resampler = nil
      file = try AudioFileWriter(descriptor: descriptor, format: format)
    }
  }

  mutating func write(_ audio: PCMBuffer) throws {
    try file.write(try resampler?.process(audio) ?? audio)
  }

  mutating func finish() throws {
    if let rest = resampler?.finish() { try file.write(rest) }
    try file.finish()
  }
}

extension AudioFormat {
  /// The format itself, or the next higher one that the container supports. Opus supports a few
  /// rates only.
  fileprivate func accepted(by container: AudioContainer?) -> AudioFormat {
    guard container == .opus else { return self }
    let rates = [8_000, 12_000, 16_000, 24_000, 48_000]
    return AudioFormat(sampleRate: rates.first { $0 >= sampleRate } ?? 48_000)
  }
}
