import SpeechAudio

/// An output that reports when it is opened, which is before the first audio.
public struct TellingOutput: AudioOutput {
  /// The name of the wrapped output.
  public var name: String { inner.name }
  private let inner: any AudioOutput
  private let openings = AsyncStream<Void>.makeStream()

  /// Wraps an output.
  public init(_ inner: any AudioOutput) { self.inner = inner }

  /// Opens the wrapped output and reports it.
  public func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    let playback = try await inner.open(format)
    openings.continuation.yield()
    return playback
  }

  /// Returns after the output has been opened once more.
  public func opening() async {
    for await _ in openings.stream { return }
  }
}
