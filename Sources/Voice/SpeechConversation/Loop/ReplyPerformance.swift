import SpeechCore

/// One reply on its way from the responder to the ear.
@MainActor
final class ReplyPerformance {
  enum News {
    case text(String, isInterruptible: Bool)
    case goodbye
    case complete
    case failed(String)
    case started(String, isInterruptible: Bool)
    case word(Range<Int>)
    case silent
    case voiceFailed(SpeechSynthesisProviderError)
  }

  let number: Int
  /// What it answers; `nil` for what is said of our own accord.
  let question: String?
  let voice: ReplyVoice
  private(set) var saidGoodbye = false
  private let tell: (News) -> Void
  private var thinking: Task<Void, Never>?

  init(
    number: Int, question: String?, engine: SpeechSynthesisEngine, voice: String?,
    aligner: (any WordAligner)?, patience: ReplyVoice.Patience, tell: @escaping (News) -> Void
  ) {
    self.number = number
    self.question = question
    self.tell = tell
    self.voice = ReplyVoice(
      engine: engine, voice: voice, aligner: aligner, patience: patience
    ) { news in
      switch news {
      case .started(let text, let isInterruptible):
        tell(.started(text, isInterruptible: isInterruptible))
      case .word(let range): tell(.word(range))
      case .ended: tell(.silent)
      case .failed(let error): tell(.voiceFailed(error))
      }
    }
  }

  /// Takes the pieces of the reply as they come.
  func think(_ ask: @escaping @MainActor () async -> ReplyStream) {
    thinking = Task { [weak self] in
      do {
        for try await piece in await ask() {
          guard !Task.isCancelled else { return }
          self?.take(piece)
        }
        guard !Task.isCancelled else { return }
        self?.complete()
      } catch {
        guard !Task.isCancelled else { return }
        self?.voice.complete()
        self?.tell(.failed(error.localizedDescription))
        self?.endIfSilent()
      }
    }
  }

  /// Says that before the rest.
  func fill(_ text: String) {
    voice.fill(text)
    voice.allow()
  }

  /// Waits for no more text.
  func giveUp() {
    thinking?.cancel()
    voice.complete()
  }

  /// Ends everything at once and tells, when it is known, what was heard.
  func stop() async -> ReplyLedger {
    thinking?.cancel()
    return await voice.stop()
  }

  private func take(_ piece: ReplyPiece) {
    switch piece {
    case .text(let text):
      voice.add(text, isInterruptible: true)
      tell(.text(text, isInterruptible: true))
    case .uninterruptible(let text):
      voice.add(text, isInterruptible: false)
      tell(.text(text, isInterruptible: false))
    case .goodbye:
      saidGoodbye = true
      tell(.goodbye)
    }
  }

  private func complete() {
    voice.complete()
    tell(.complete)
    endIfSilent()
  }

  /// The end of a sound that was over before it was known that it was the last.
  private func endIfSilent() {
    if !voice.isBusy { tell(.silent) }
  }
}
