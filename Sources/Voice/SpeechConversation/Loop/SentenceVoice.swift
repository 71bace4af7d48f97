import SpeechAudio
import SpeechCore

/// Speaks a text sentence by sentence while it is still arriving, as a voice loop speaks its
/// replies.
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

  /// Creates a voice over an engine.
  ///
  /// - Parameters:
  ///   - voice: The identifier of a voice of the engine; `nil` for the engine's default.
  ///   - limit: The longest silence of a voice that should be heard.
  ///   - clock: The clock that measures the limit.
  public init(
    _ engine: SpeechSynthesisEngine, voice: String? = nil, limit: Duration = .seconds(30),
    clock: any DeviceClock = RealClock()
  ) {
    self.engine = engine
    self.voice = voice
    timeout = ReplyVoice.Timeout(limit: limit, clock: clock)
  }

  /// Adds a piece of text. Complete sentences are spoken in order, without waiting for the rest.
  public func add(_ text: String) {
    guard !isStopped, failure == nil else { return }
    reply.add(text, isInterruptible: true)
  }

  /// Ends the present text at once and discards the rest of it, so that another text can begin.
  public func startOver() async {
    let old = reply
    reply = makeReply(isAllowed: false)
    _ = await old.stop()
    reply.allow()
    // Callers of `finish` now wait for the end of the new text.
    wakeUp()
  }

  /// Waits until everything has been spoken.
  ///
  /// - Throws: `SpeechSynthesisProviderError` if the voice failed; the rest is not spoken then.
  ///   `CancellationError` if the task was cancelled or the voice was stopped; there is silence
  ///   then.
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

  /// Ends the speech and returns when there is silence.
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
