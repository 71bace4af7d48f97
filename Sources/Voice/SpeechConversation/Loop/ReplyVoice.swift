import Foundation
import SpeechAudio
import SpeechCore

/// Speaks a reply sentence by sentence while its text is still arriving, and keeps the ledger of
/// what has been heard.
@MainActor
final class ReplyVoice {
  enum Event {
    /// A sentence begins to be heard.
    case started(String, isInterruptible: Bool)
    /// A word of the reply, in Unicode scalars of its whole text.
    case word(Range<Int>)
    /// All of the text so far has been heard.
    case ended
    case failed(SpeechSynthesisProviderError)
  }

  /// The longest silence of a voice that should be heard, on the devices' clock.
  struct Timeout {
    var limit: Duration
    var clock: any DeviceClock
  }

  private struct Sentence {
    var number: Int
    /// The scalar of the sentence from which on it is spoken.
    var start = 0
    var isInterruptible: Bool
  }

  private enum Stage {
    case idle
    /// The engine has the sentence, and nothing of it has been heard.
    case starting(Sentence)
    case speaking(Sentence)
    /// The engine holds the sentence, of which something may have been heard.
    case paused(Sentence, hasSounded: Bool)
    /// The engine ends the sentence, whose rest is spoken later.
    case cutting(Sentence)
    /// The engine ends the sentence, because its voice made no sound.
    case abandoning(Sentence)
    case stopped
  }

  private let engine: SpeechSynthesisEngine
  private let voice: String?
  private let aligner: (any WordAligner)?
  private let timeout: Timeout
  private let report: (Event) -> Void

  private(set) var ledger = ReplyLedger()
  private var assembly = SentenceAssembly()
  private var waiting: [Sentence] = []
  private var stage = Stage.idle
  private var isAllowed = false
  private var isHeld = false
  private var worker: Task<Void, Never>?
  /// Waits for a pause of the text.
  private var pausing: Task<Void, Never>?

  /// The pause of the text after which its last sentence is spoken without what follows, as when
  /// the responder has announced that it calls a function.
  private static let textPause = Duration.milliseconds(500)

  init(
    engine: SpeechSynthesisEngine, voice: String?, aligner: (any WordAligner)?,
    timeout: Timeout, report: @escaping (Event) -> Void
  ) {
    self.engine = engine
    self.voice = voice
    self.aligner = aligner
    self.timeout = timeout
    self.report = report
  }

  func add(_ text: String, isInterruptible: Bool) {
    for sentence in assembly.add(text, isInterruptible: isInterruptible) { append(sentence) }
    work()
    pausing?.cancel()
    guard assembly.isAtEndOfSentence else { return }
    pausing = Task { [weak self, clock = timeout.clock] in
      guard (try? await clock.sleep(until: clock.time + Self.textPause)) != nil,
        !Task.isCancelled
      else { return }
      self?.finishSentence()
    }
  }

  /// Adds text that is complete in itself, to be spoken before everything that has not begun.
  func fill(_ text: String) {
    waiting.insert(
      Sentence(number: ledger.add(text + " "), isInterruptible: true), at: 0)
    work()
  }

  func complete() {
    pausing?.cancel()
    finishSentence()
  }

  private func finishSentence() {
    for sentence in assembly.finish() { append(sentence) }
    work()
  }

  /// Allows the reply to be heard. Nothing is heard before.
  func allow() {
    isAllowed = true
    work()
  }

  /// True while a sentence is being spoken or waits to be spoken.
  var isBusy: Bool { current != nil || !waiting.isEmpty || !assembly.isEmpty }

  func hold() {
    guard !isHeld else { return }
    isHeld = true
    switch stage {
    case .starting(let sentence): pause(sentence, hasSounded: false)
    case .speaking(let sentence): pause(sentence, hasSounded: true)
    case .idle, .paused, .cutting, .abandoning, .stopped: break
    }
  }

  func resume() {
    guard isHeld else { return }
    isHeld = false
    if case .paused(let sentence, let hasSounded) = stage {
      if hasSounded {
        restartOrResume(sentence)
      } else {
        // Its beginning is still to be heard, and reported.
        stage = .starting(sentence)
        engine.resume()
      }
    }
    work()
  }

  /// Ends the reply at once and returns, when it is known, what of it has been heard.
  func stop() async -> ReplyLedger {
    let isSpeaking = current != nil
    stage = .stopped
    pausing?.cancel()
    waiting = []
    if isSpeaking { engine.stop() }
    await worker?.value
    return ledger
  }

  /// The engine has begun to play the sentence that it was given last.
  func audioStarted() {
    switch stage {
    case .starting(let sentence):
      stage = .speaking(sentence)
      report(.started(text(of: sentence), isInterruptible: sentence.isInterruptible))
    case .paused(let sentence, hasSounded: false):
      // It was held before there was anything to hold.
      pause(sentence, hasSounded: true)
      report(.started(text(of: sentence), isInterruptible: sentence.isInterruptible))
    case .idle, .speaking, .paused, .cutting, .abandoning, .stopped: break
    }
  }

  /// The engine has reached a position in the sentence that it was given last.
  func reached(_ position: SpeechPosition) {
    guard let current, position.kind == .word else { return }
    let base = ledger.start(of: current.number) + current.start
    report(.word(position.textRange.lowerBound + base..<position.textRange.upperBound + base))
  }

  /// The sentence that the engine has.
  private var current: Sentence? {
    switch stage {
    case .starting(let sentence), .speaking(let sentence), .paused(let sentence, _),
      .cutting(let sentence), .abandoning(let sentence):
      sentence
    case .idle, .stopped: nil
    }
  }

  private var isStopped: Bool {
    if case .stopped = stage { true } else { false }
  }

  private func append(_ sentence: SentenceAssembly.Sentence) {
    waiting.append(
      Sentence(number: ledger.add(sentence.text), isInterruptible: sentence.isInterruptible))
  }

  /// Continues a paused sentence: from the beginning of a word, if that is known, because half a
  /// word cannot be understood.
  private func restartOrResume(_ sentence: Sentence) {
    if let record = engine.spoken, record.hasWords, record.heardEnd > 0, !record.unheardText.isEmpty
    {
      cut(sentence)
    } else {
      stage = .speaking(sentence)
      engine.resume()
    }
  }

  private func pause(_ sentence: Sentence, hasSounded: Bool) {
    if engine.capabilities.isSuperset(of: [.pause, .resume]) {
      engine.pause()
      stage = .paused(sentence, hasSounded: hasSounded)
    } else {
      cut(sentence)
    }
  }

  private func cut(_ sentence: Sentence) {
    stage = .cutting(sentence)
    engine.stop()
  }

  private func work() {
    guard worker == nil, canSpeak else { return }
    worker = Task { [weak self] in
      while let self, let sentence = self.next() { await self.speak(sentence) }
      self?.worker = nil
      // Text that came in at the last moment.
      self?.work()
    }
  }

  private var canSpeak: Bool { isAllowed && !isHeld && !isStopped && !waiting.isEmpty }

  private func next() -> Sentence? { canSpeak ? waiting.removeFirst() : nil }

  private func text(of sentence: Sentence) -> String {
    let text = ledger.sentences[sentence.number].text
    return text.scalars(sentence.start..<text.unicodeScalars.count)
  }

  private func speak(_ sentence: Sentence) async {
    let text = text(of: sentence)
    guard text.contains(where: { $0.isLetter || $0.isNumber }) else {
      // Marks alone, which no voice accepts as text.
      ledger.hearAll(sentence.number)
      endIfDone()
      return
    }
    stage = .starting(sentence)
    var failure: SpeechSynthesisProviderError?
    var hasBegun = false
    let watch = watchForSilence()
    defer { watch.cancel() }
    do {
      try await engine.speak(text: text, voice: voice) { hasBegun = true }
      ledger.hearAll(sentence.number)
    } catch {
      let known = SpeechSynthesisProviderError(error)
      // Without a beginning, the engine's record is that of another text.
      let rest = hasBegun ? await note(sentence) : 0
      switch stage {
      case .cutting:
        var later = sentence
        later.start += rest
        waiting.insert(later, at: 0)
      case .abandoning:
        failure = .playbackFailed(
          "The voice made no sound for \(timeout.limit). Try another voice.")
      case .idle, .starting, .speaking, .paused, .stopped:
        if known == .cancelled {
          // The engine was stopped from outside: the rest of the text is not wanted either.
          waiting = []
        } else {
          failure = known
        }
      }
    }
    if !isStopped { stage = .idle }
    if let failure { report(.failed(failure)) }
    endIfDone()
  }

  /// Ends the sentence once its voice has been silent for the time limit without being held.
  private func watchForSilence() -> Task<Void, Never> {
    Task { [weak self, timeout] in
      var played = Duration.zero
      while (try? await timeout.clock.sleep(until: timeout.clock.time + timeout.limit)) != nil,
        !Task.isCancelled
      {
        guard let self, let now = self.engine.spoken?.played else { continue }
        if now == played, !self.isHeld {
          if let sentence = self.current { self.stage = .abandoning(sentence) }
          self.engine.stop()
          return
        }
        played = now
      }
    }
  }

  private func endIfDone() {
    if waiting.isEmpty, !isStopped { report(.ended) }
  }

  /// Notes what was heard of a sentence that broke off, and returns where its rest begins, counted
  /// from where it was begun.
  private func note(_ sentence: Sentence) async -> Int {
    guard var record = engine.spoken else { return 0 }
    if !record.hasWords, let aligner, let audio = record.audio {
      record.positions = await aligner.positions(of: record.text, in: audio)
    }
    ledger.hear(sentence.number, until: sentence.start + record.heardEnd)
    return record.heardEnd == 0 ? 0 : record.unheardStart
  }
}
