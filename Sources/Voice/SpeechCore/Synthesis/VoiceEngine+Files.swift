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
    try await write(request, configuration: configuration, to: .file(url), keepsParts: false)
      .duration
  }

  /// Synthesises a text into an audio file, and keeps the audio so far when the task is cancelled.
  ///
  /// The result is then a complete file of the beginning, and no error is thrown. Before the first
  /// audio there is no file, and the duration is zero.
  ///
  /// - Throws: the engine's error; `AudioError` when the file cannot be written.
  package func writeUntilCancelled(
    _ request: VoiceEngineRequest, configuration: Configuration, to url: URL
  ) async throws -> SpokenFile {
    try await write(request, configuration: configuration, to: .file(url), keepsParts: true)
  }

  /// Synthesises a text into a descriptor that stays the caller's, such as standard output (1), and
  /// returns the duration.
  ///
  /// - Throws: the engine's error; `AudioError` when the audio cannot be written.
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
      // A stream whose task is cancelled may end without an error.
      try Task.checkCancellation()
      return SpokenFile(duration: try await writing.finish(), isWhole: true)
    } catch {
      if keepsParts, Task.isCancelled {
        return SpokenFile(duration: try await writing.finishPart(), isWhole: false)
      }
      await writing.abandon()
      // A write that was interrupted by the cancellation reports the cancellation.
      try Task.checkCancellation()
      throw error
    }
  }
}

/// The result of synthesising a text into a file.
package struct SpokenFile: Sendable, Equatable {
  package var duration: Duration
  /// True if the file contains all of the text.
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

  /// Completes the file so far; without audio, or after a failure, there is no file.
  func finishPart() throws -> Duration {
    var taken = Writer.none
    swap(&taken, &writer)
    guard case .open(let file) = consume taken else { return .zero }
    writer = .open(file)
    return try finish()
  }

  /// Closes the file without giving it its name.
  func abandon() { writer = .none }

  /// Takes the open writer out. The caller puts it back, or it closes after an error.
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
  /// The format itself, or the next higher one that the container supports. Opus supports a few
  /// rates only.
  fileprivate func accepted(by container: AudioContainer?) -> AudioFormat {
    guard container == .opus else { return self }
    let rates = [8_000, 12_000, 16_000, 24_000, 48_000]
    return AudioFormat(sampleRate: rates.first { $0 >= sampleRate } ?? 48_000)
  }
}
