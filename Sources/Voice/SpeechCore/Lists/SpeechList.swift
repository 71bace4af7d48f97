import Foundation
import Observation
import SpeechAudio

/// Texts that are spoken, or rendered to files, one after the other.
///
/// ```swift
/// let list = SpeechList(["Good morning.", "It is eight o'clock."])
/// try await list.speak(with: engine)
/// ```
/// A list that was cancelled or failed resumes with the unfinished text when it is run again.
/// Texts without anything to speak are skipped.
@Observable
@MainActor
public final class SpeechList {
  /// The texts in their order.
  public let texts: [String]
  /// The number of texts that are finished.
  public private(set) var completed = 0
  /// True while the list is spoken or rendered.
  public private(set) var isRunning = false

  /// Creates a list that has not been started.
  public init(_ texts: [String]) {
    self.texts = texts
  }

  /// The finished part, from 0 to 1.
  public var progress: Double {
    texts.isEmpty ? 1 : Double(completed) / Double(texts.count)
  }

  /// Starts over with the first text when the list is run again.
  public func restart() {
    guard !isRunning else { return }
    completed = 0
  }

  /// Speaks the texts that are not finished. Cancelling the task or stopping the engine ends it.
  ///
  /// - Throws: the error of `SpeechSynthesisEngine.speak(text:voice:)`.
  public func speak(with engine: SpeechSynthesisEngine, voice: String? = nil) async throws {
    try await run { _, text in try await engine.speak(text: text, voice: voice) }
  }

  /// Renders the texts into numbered files, such as `001.wav`, and returns the files.
  ///
  /// The folder remembers its texts and their voice in `list.json`, so that another process resumes
  /// the same list: a file is kept if its text and voice are unchanged, and is rendered again
  /// otherwise. Settings of the voice other than its name are not compared; render into a new
  /// folder after a change of them.
  ///
  /// - Parameter pathExtension: determines the container, as in `VoiceEngine.write`.
  /// - Throws: the engine's error; `AudioError` when a file cannot be written; `CancellationError`
  ///   when the task is cancelled.
  @discardableResult
  public func render(
    with voice: AnyVoice, to folder: URL, as pathExtension: String = "wav"
  ) async throws -> [URL] {
    let rendering = RenderedList(
      texts: texts, voice: voice.name.text, pathExtension: pathExtension)
    try checkIdle()
    try rendering.prepare(folder)
    completed = 0
    try await run { index, text in
      let file = rendering.file(index, in: folder)
      guard !FileManager.default.fileExists(atPath: file.path) else { return }
      let request = voice.engine.makeRequest(text: text, voiceId: voice.voice ?? "")
      try await voice.engine.write(request, configuration: (), to: file)
    }
    return texts.indices.filter { isSpeakable(texts[$0]) }.map { rendering.file($0, in: folder) }
  }

  private func run(_ work: (Int, String) async throws -> Void) async throws {
    try checkIdle()
    isRunning = true
    defer { isRunning = false }
    while completed < texts.count {
      try Task.checkCancellation()
      let text = texts[completed]
      if isSpeakable(text) { try await work(completed, text) }
      completed += 1
    }
  }

  private func checkIdle() throws {
    guard !isRunning else {
      throw SpeechSynthesisProviderError.unknown(
        "The list is being spoken already. Wait for its end, or cancel it first.")
    }
  }

  private func isSpeakable(_ text: String) -> Bool { !text.allSatisfy(\.isWhitespace) }
}
