import SpeechCommand
import SpeechKit

extension AnyVoice {
  /// Creates a voice that says a text while it is still arriving.
  @MainActor func sentences(output: any AudioOutput) -> SentenceVoice {
    SentenceVoice(SpeechSynthesisEngine(provider: makeProvider(output: output)), voice: voice)
  }

  /// Speaks into a file, or as WAV to standard output.
  ///
  /// A file keeps what was spoken until the task is cancelled, and the user is notified.
  func write(_ text: String, to place: OutputPlace, on terminal: Terminal) async throws {
    let request = engine.makeRequest(text: text, voiceId: voice ?? "")
    switch place {
    case .file(let url):
      let file = try await engine.writeUntilCancelled(request, configuration: (), to: url)
      guard file.isWhole else {
        await terminal.noteInterruption(of: url, after: file.duration)
        throw CancellationError()
      }
    case .standardOutput:
      do {
        try await engine.write(request, configuration: (), toDescriptor: STDOUT_FILENO)
      } catch AudioError.writeFailed(_, let reason) {
        throw reason == String(cString: strerror(EPIPE)) ? OutputError.closed : .failed(reason)
      }
    }
  }
}

/// The destination of audio that is not played.
enum OutputPlace: Sendable {
  case file(URL)
  case standardOutput

  /// A path, or `-` for standard output.
  init(_ path: String) {
    self = path == "-" ? .standardOutput : .file(URL(filePath: path))
  }
}
