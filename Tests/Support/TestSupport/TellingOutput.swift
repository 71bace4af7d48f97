import SpeechAudio

/// An output that tells when it is opened, which is before there is any sound.
public struct TellingOutput: AudioOutput {
  /// The name of what it passes sound on to.
  public var name: String { inner.name }
  private let inner: any AudioOutput
  private let openings = AsyncStream<Void>.makeStream()

  /// An output in front of that one.
  public init(_ inner: any AudioOutput) { self.inner = inner }

  /// Opens the one behind it, and tells.
  public func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    let playback = try await inner.open(format)
    openings.continuation.yield()
    return playback
  }

  /// Returns when it has been opened once more.
  /// Opens the one behind it, and tells.
  public func opening() async {
    for await _ in openings.stream { return }
  }
}
