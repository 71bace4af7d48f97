import SpeechConcurrency
import SpeechCore

/// One reply on its way from the responder to the user.
@MainActor
final class ReplyPerformance {
  enum Event {
    case text(String, isInterruptible: Bool)
    case goodbye
    case complete
    case failed(String)
    case voice(ReplyVoice.Event)
  }

  let number: Int
  /// The words that it answers; `nil` for text of the app's own.
  let question: String?
  /// The place of the question in the history, once it is known to be final.
  var questionPlace: Int?
  let voice: ReplyVoice
  private(set) var saidGoodbye = false
  private let report: (Event) -> Void
  private var thinking: Task<Void, Never>?

  init(
    number: Int, question: String?, engine: SpeechSynthesisEngine, voice: String?,
    aligner: (any WordAligner)?, timeout: ReplyVoice.Timeout, report: @escaping (Event) -> Void
  ) {
    self.number = number
    self.question = question
    self.report = report
    self.voice = ReplyVoice(
      engine: engine, voice: voice, aligner: aligner, timeout: timeout
    ) { report(.voice($0)) }
  }

  /// Reads the pieces of the reply as they arrive.
  ///
  /// - Parameter handler: the name of the responder.
  func think(with handler: String, _ ask: @escaping @MainActor () async -> ReplyStream) {
    thinking = Task { [weak self] in
      do {
        var pieces = await ask().makeAsyncIterator()
        while let piece = try await HandlerCall.run(
          handler, { try await pieces.next(isolation: MainActor.shared) })
        {
          guard !Task.isCancelled else { return }
          self?.take(piece)
        }
        guard !Task.isCancelled else { return }
        self?.complete()
      } catch {
        guard !Task.isCancelled else { return }
        self?.voice.complete()
        self?.report(.failed(error.localizedDescription))
        self?.endIfSilent()
      }
    }
  }

  /// Speaks the text before the rest of the reply.
  func fill(_ text: String) {
    voice.fill(text)
    voice.allow()
  }

  /// Waits for no more text.
  func stopWaiting() {
    thinking?.cancel()
    voice.complete()
  }

  /// Ends the reply at once and returns, when it is known, what was heard.
  func stop() async -> ReplyLedger {
    thinking?.cancel()
    return await voice.stop()
  }

  private func take(_ piece: ReplyPiece) {
    switch piece {
    case .text(let text):
      voice.add(text, isInterruptible: true)
      report(.text(text, isInterruptible: true))
    case .uninterruptible(let text):
      voice.add(text, isInterruptible: false)
      report(.text(text, isInterruptible: false))
    case .goodbye:
      saidGoodbye = true
      report(.goodbye)
    }
  }

  private func complete() {
    voice.complete()
    report(.complete)
    endIfSilent()
  }

  /// Reports the end of audio that was over before it was known to be the last.
  private func endIfSilent() {
    if !voice.isBusy { report(.voice(.ended)) }
  }
}
