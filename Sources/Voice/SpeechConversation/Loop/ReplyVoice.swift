import Foundation
import SpeechAudio
import SpeechCore

/// Says a reply sentence by sentence while its text is still coming, and keeps the ledger of what has been
/// heard.
@MainActor
final class ReplyVoice {
  enum News {
    /// A sentence begins to be heard.
    case started(String, isInterruptible: Bool)
    /// A word of the reply, in Unicode scalars of its whole text.
    case word(Range<Int>)
    /// All that there was to say so far has been heard.
    case ended
    case failed(SpeechSynthesisProviderError)
  }

  /// How long silence may last where there should be sound, on whose clock.
  struct Patience {
    var limit: Duration
    var clock: any DeviceClock
  }

  private struct Sentence {
    var number: Int
    /// From where in the sentence it is said, in Unicode scalars.
    var start = 0
    var isInterruptible: Bool
  }

  private let engine: SpeechSynthesisEngine
  private let voice: String?
  private let aligner: (any WordAligner)?
  private let patience: Patience
  private let tell: (News) -> Void

  private(set) var ledger = ReplyLedger()
  private var cutter = SentenceAssembly()
  private var waiting: [Sentence] = []
  private var current: Sentence?
  private var hasStarted = false
  private var isAllowed = false
  private var isHeld = false
  private var isPausedInside = false
  private var isStopped = false
  /// Whether the sentence that is being said is ended in order to be said later from a word on.
  private var isCut = false
  /// Whether the sentence that is being said is ended because its voice makes no sound.
  private var isGivenUp = false
  private var worker: Task<Void, Never>?

  init(
    engine: SpeechSynthesisEngine, voice: String?, aligner: (any WordAligner)?,
    patience: Patience, tell: @escaping (News) -> Void
  ) {
    self.engine = engine
    self.voice = voice
    self.aligner = aligner
    self.patience = patience
    self.tell = tell
  }

  /// Takes the next piece of the text.
  func add(_ text: String, isInterruptible: Bool) {
    for sentence in cutter.add(text, isInterruptible: isInterruptible) { take(sentence) }
    work()
  }

  /// Takes text that is complete as it is, to be said before all that has not begun.
  func fill(_ text: String) {
    waiting.insert(
      Sentence(number: ledger.add(text + " "), isInterruptible: true), at: 0)
    work()
  }

  /// No more text will come.
  func complete() {
    for sentence in cutter.finish() { take(sentence) }
    work()
  }

  /// Nothing is heard before this.
  func allow() {
    isAllowed = true
    work()
  }

  /// Whether anything is being said or is still to be said.
  var isBusy: Bool { current != nil || !waiting.isEmpty || !cutter.isEmpty }

  func hold() {
    guard !isHeld else { return }
    isHeld = true
    guard current != nil else { return }
    if engine.capabilities.isSuperset(of: [.pause, .resume]) {
      engine.pause()
      isPausedInside = true
    } else {
      cut()
    }
  }

  func goOn() {
    guard isHeld else { return }
    isHeld = false
    if isPausedInside {
      isPausedInside = false
      restartOrResume()
    }
    work()
  }

  /// Ends it at once and tells, when it is known, what of it has been heard.
  func stop() async -> ReplyLedger {
    isStopped = true
    waiting = []
    if current != nil { engine.stop() }
    await worker?.value
    return ledger
  }

  /// The engine has begun to play what it was given last.
  func soundStarted() {
    guard let current, !hasStarted else { return }
    hasStarted = true
    if isHeld, !isPausedInside {
      // It was held before there was anything to hold.
      engine.pause()
      isPausedInside = true
    }
    tell(.started(text(of: current), isInterruptible: current.isInterruptible))
  }

  /// The engine is at that place of what it was given last.
  func reached(_ position: SpeechPosition) {
    guard let current, position.kind == .word else { return }
    let base = ledger.start(of: current.number) + current.start
    tell(.word(position.textRange.lowerBound + base..<position.textRange.upperBound + base))
  }

  private func take(_ sentence: SentenceAssembly.Sentence) {
    waiting.append(
      Sentence(number: ledger.add(sentence.text), isInterruptible: sentence.isInterruptible))
  }

  /// Nobody understands the second half of a word: it is said again from its beginning, if that is known.
  private func restartOrResume() {
    if let record = engine.spoken, record.hasWords, record.heardEnd > 0, !record.unheardText.isEmpty
    {
      cut()
    } else {
      engine.resume()
    }
  }

  private func cut() {
    isCut = true
    engine.stop()
  }

  private func work() {
    guard worker == nil, isAllowed, !isHeld, !isStopped, !waiting.isEmpty else { return }
    worker = Task { [weak self] in
      while let self, let sentence = self.next() { await self.say(sentence) }
      self?.worker = nil
      // What came in at the last moment.
      self?.work()
    }
  }

  private func next() -> Sentence? {
    guard isAllowed, !isHeld, !isStopped, !waiting.isEmpty else { return nil }
    return waiting.removeFirst()
  }

  private func text(of sentence: Sentence) -> String {
    let text = ledger.sentences[sentence.number].text
    return text.scalars(sentence.start..<text.unicodeScalars.count)
  }

  private func say(_ sentence: Sentence) async {
    let text = text(of: sentence)
    guard text.contains(where: { $0.isLetter || $0.isNumber }) else {
      // Marks alone, which no voice takes for a text.
      ledger.hearAll(sentence.number)
      endIfDone()
      return
    }
    current = sentence
    hasStarted = false
    var failure: SpeechSynthesisProviderError?
    let watch = Task { [weak self, patience] in
      var played = Duration.zero
      while (try? await patience.clock.sleep(until: patience.clock.time + patience.limit)) != nil,
        !Task.isCancelled
      {
        guard let self, let now = self.engine.spoken?.played else { continue }
        if now == played, !self.isHeld {
          self.isGivenUp = true
          self.engine.stop()
          return
        }
        played = now
      }
    }
    defer { watch.cancel() }
    do {
      try await engine.speak(text: text, voice: voice)
      ledger.hearAll(sentence.number)
    } catch {
      let known = SpeechSynthesisProviderError(error)
      let rest = await note(sentence)
      if isCut, !isStopped {
        var later = sentence
        later.start += rest
        waiting.insert(later, at: 0)
      } else if isGivenUp, !isStopped {
        failure = .playbackFailed(
          "The voice made no sound for \(patience.limit). Try another voice.")
      } else if known == .cancelled {
        // Somebody stopped the engine: what was to be said then is not said.
        waiting = []
      } else {
        failure = known
      }
    }
    current = nil
    isCut = false
    isGivenUp = false
    isPausedInside = false
    if let failure { tell(.failed(failure)) }
    endIfDone()
  }

  private func endIfDone() {
    if waiting.isEmpty, !isStopped { tell(.ended) }
  }

  /// Notes what was heard of a sentence that broke off, and tells where the rest of it begins, counted from
  /// where it was begun.
  private func note(_ sentence: Sentence) async -> Int {
    guard var record = engine.spoken else { return 0 }
    if !record.hasWords, let aligner, let audio = record.audio {
      record.positions = await aligner.positions(of: record.text, in: audio)
    }
    ledger.hear(sentence.number, until: sentence.start + record.heardEnd)
    return record.heardEnd == 0 ? 0 : record.unheardStart
  }
}
