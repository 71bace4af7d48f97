import Foundation
import SpeechAudio
import SpeechConcurrency

extension VoiceEngine {
  /// Speaks into a sound file, piece by piece; its extension says the container. Returns how long it is.
  ///
  /// The file takes its name when it is complete; an older one stays as it is until then, and a text that
  /// fails or is cancelled leaves nothing.
  ///
  /// - Throws: what the engine throws; `AudioError` when the file cannot be written.
  @discardableResult
  public func write(
    _ request: VoiceEngineRequest, configuration: Configuration, to url: URL
  ) async throws -> Duration {
    try await write(request, configuration: configuration, to: .file(url), keepsParts: false)
      .duration
  }

  /// Speaks into a sound file, which keeps what was spoken when the task is cancelled.
  ///
  /// It is then a whole file of the beginning, and an error is not thrown. Before the first sound there is
  /// no file, and the duration is zero.
  ///
  /// - Throws: what the engine throws; `AudioError` when the file cannot be written.
  package func writeUntilCancelled(
    _ request: VoiceEngineRequest, configuration: Configuration, to url: URL
  ) async throws -> SpokenFile {
    try await write(request, configuration: configuration, to: .file(url), keepsParts: true)
  }

  /// Speaks into a descriptor that stays the caller's, such as standard output (1). Returns how long it
  /// is.
  ///
  /// - Throws: what the engine throws; `AudioError` when the sound cannot be written.
  @discardableResult
  public func write(
    _ request: VoiceEngineRequest, configuration: Configuration, toDescriptor descriptor: Int32,
    name: String = "standard output", as container: AudioContainer = .wav
  ) async throws -> Duration {
    try await write(
      request, configuration: configuration, to: .descriptor(descriptor, name: name, container),
      keepsParts: false
    ).duration
  }

  private func write(
    _ request: VoiceEngineRequest, configuration: Configuration, to place: SoundWriting.Place,
    keepsParts: Bool
  ) async throws -> SpokenFile {
    let writing = SoundWriting(place)
    do {
      for try await chunk in streamAudio(request: request, configuration: configuration) {
        try await writing.write(chunk.audio)
      }
      // A stream whose task is cancelled may simply end.
      try Task.checkCancellation()
      return SpokenFile(duration: try await writing.finish(), isWhole: true)
    } catch {
      if keepsParts, Task.isCancelled {
        return SpokenFile(duration: try await writing.finishPart(), isWhole: false)
      }
      await writing.abandon()
      // A write that the cancellation broke off fails as such.
      try Task.checkCancellation()
      throw error
    }
  }
}

/// What became of a text that was spoken into a file.
package struct SpokenFile: Sendable, Equatable {
  package var duration: Duration
  /// Whether all of the text is in it.
  package var isWhole: Bool
}

/// Writes on a queue of its own, because disks and pipes block.
private actor SoundWriting {
  enum Place: Sendable {
    case file(URL)
    case descriptor(Int32, name: String, AudioContainer)
  }

  private enum Writer: ~Copyable {
    case none
    case open(AudioFileWriter)
  }

  private let executor = SerialQueueExecutor(label: "SpeechKit.writing")
  private let place: Place
  private var writer = Writer.none
  private var resampler: Resampler?
  private var duration = Duration.zero

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(_ place: Place) {
    self.place = place
  }

  func write(_ audio: PCMBuffer) throws {
    duration += audio.duration
    var file = try takeWriter(for: audio.format)
    try file.write(try resampler?.process(audio) ?? audio)
    writer = .open(file)
  }

  func finish() throws -> Duration {
    guard duration > .zero else { throw SpeechSynthesisProviderError.invalidText }
    var file = try takeWriter(for: .recognition)
    if let rest = resampler?.finish() { try file.write(rest) }
    try file.finish()
    return duration
  }

  /// Completes what was begun; without anything, or after a failure, there is no file.
  func finishPart() throws -> Duration {
    var taken = Writer.none
    swap(&taken, &writer)
    guard case .open(let file) = consume taken else { return .zero }
    writer = .open(file)
    return try finish()
  }

  /// Closes the file without giving it its name.
  func abandon() { writer = .none }

  /// The open writer; whoever takes it puts it back, or it closes with what failed.
  private func takeWriter(for format: AudioFormat) throws -> AudioFileWriter {
    var taken = Writer.none
    swap(&taken, &writer)
    switch consume taken {
    case .open(let file): return file
    case .none: return try openWriter(format)
    }
  }

  private func openWriter(_ format: AudioFormat) throws -> AudioFileWriter {
    let stored = format.accepted(by: container)
    if stored != format { resampler = try Resampler(from: format, to: stored) }
    switch place {
    case .file(let url):
      return try AudioFileWriter(url, format: stored)
    case .descriptor(let descriptor, let name, let container):
      return try AudioFileWriter(
        descriptor: descriptor, name: name, as: container, format: stored)
    }
  }

  private var container: AudioContainer? {
    switch place {
    case .file(let url): AudioContainer(pathExtension: url.pathExtension)
    case .descriptor(_, _, let container): container
    }
  }
}

extension AudioFormat {
  /// The format itself, or the next above it that the container takes. Opus takes a few rates only.
  fileprivate func accepted(by container: AudioContainer?) -> AudioFormat {
    guard container == .opus else { return self }
    let rates = [8_000, 12_000, 16_000, 24_000, 48_000]
    return AudioFormat(sampleRate: rates.first { $0 >= sampleRate } ?? 48_000)
  }
}
