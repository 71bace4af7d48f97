import SpeechAudio

/// An output that tells when it is opened, which is before there is any sound.
public struct TellingOutput: AudioOutput {
  public var name: String { inner.name }
  private let inner: any AudioOutput
  private let openings = AsyncStream<Void>.makeStream()

  public init(_ inner: any AudioOutput) { self.inner = inner }

  public func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    let playback = try await inner.open(format)
    openings.continuation.yield()
    return playback
  }

  /// Returns when it has been opened once more.
  public func opening() async {
    for await _ in openings.stream { return }
  }
}
