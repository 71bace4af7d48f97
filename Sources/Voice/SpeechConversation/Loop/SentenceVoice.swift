import SpeechAudio
import SpeechCore

/// Says a text sentence by sentence while it is still coming, as a voice loop says its replies.
///
/// ```swift
/// let voice = SentenceVoice(SpeechSynthesisEngine())
/// for try await piece in pieces { voice.add(piece) }
/// try await voice.finish()
/// ```
@MainActor
public final class SentenceVoice {
  private let engine: SpeechSynthesisEngine
  private let voice: String?
  private let timeout: ReplyVoice.Timeout
  private lazy var reply = makeReply()
  private var failure: SpeechSynthesisProviderError?
  private var isStopped = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Says it with that voice of the engine; `nil` for the engine's choice.
  ///
  /// - Parameters:
  ///   - limit: how long the voice may make no sound while it should.
  ///   - clock: what that is measured with.
  public init(
    _ engine: SpeechSynthesisEngine, voice: String? = nil, limit: Duration = .seconds(30),
    clock: any DeviceClock = RealClock()
  ) {
    self.engine = engine
    self.voice = voice
    timeout = ReplyVoice.Timeout(limit: limit, clock: clock)
  }

  /// Takes the next piece of the text. Whole sentences are said at once, in their turn.
  public func add(_ text: String) {
    guard !isStopped, failure == nil else { return }
    reply.add(text, isInterruptible: true)
  }

  /// Ends what is being said and forgets what was added: another text begins.
  public func startOver() async {
    let old = reply
    reply = makeReply(isAllowed: false)
    _ = await old.stop()
    reply.allow()
    // Who waits for the end waits for the other text's now, if there is any.
    wakeUp()
  }

  /// Returns when all has been said.
  ///
  /// - Throws: `SpeechSynthesisProviderError` when the voice failed; what was left is not said then.
  ///   `CancellationError` when the task was cancelled or it was stopped; there is silence then.
  public func finish() async throws {
    reply.complete()
    await withTaskCancellationHandler {
      while reply.isBusy, failure == nil, !isStopped {
        await withCheckedContinuation { waiting.append($0) }
      }
    } onCancel: {
      Task { @MainActor in await self.stop() }
    }
    if let failure {
      _ = await reply.stop()
      throw failure
    }
    if isStopped || Task.isCancelled {
      await stop()
      throw CancellationError()
    }
  }

  /// Ends it; returns when there is silence.
  public func stop() async {
    isStopped = true
    _ = await reply.stop()
    wakeUp()
  }

  private func makeReply(isAllowed: Bool = true) -> ReplyVoice {
    let made = ReplyVoice(
      engine: engine, voice: voice, aligner: nil, timeout: timeout
    ) { [weak self] event in
      switch event {
      case .started, .word: break
      case .ended: self?.wakeUp()
      case .failed(let error):
        self?.failure = error
        self?.wakeUp()
      }
    }
    if isAllowed { made.allow() }
    return made
  }

  private func wakeUp() {
    let woken = waiting
    waiting = []
    for continuation in woken { continuation.resume() }
  }
}
