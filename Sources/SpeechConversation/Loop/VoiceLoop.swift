import Foundation
import Observation
import SpeechAudio
import SpeechConcurrency
import SpeechCore

/// A conversation by voice: hears the user, asks a responder, says what it answers, and lets the user
/// interrupt.
///
/// ```swift
/// let loop = VoiceLoop(
///   recognition: SpeechRecognitionEngine(), responder: EchoResponder(),
///   synthesis: SpeechSynthesisEngine())
/// let events = loop.events
/// try await loop.start()
/// for await event in events {
///   if case .userFinal(let text) = event.kind { print(text) }
/// }
/// ```
///
/// Any providers will do. With one that is a `ConversationalRecognition`, as all of this toolkit's decoders
/// are, the loop knows when somebody speaks before a word is understood, and can close its ear; with others
/// it knows what their results tell.
@Observable
@MainActor
public final class VoiceLoop {
  /// What hears.
  public let recognition: SpeechRecognitionEngine
  /// Who thinks.
  public let responder: any Responder
  /// What speaks.
  public let synthesis: SpeechSynthesisEngine
  /// How it behaves.
  public let configuration: VoiceLoopConfiguration

  /// Whether it has been started and is not over.
  public private(set) var isRunning = false
  /// Whether it was told to pause.
  public private(set) var isPaused = false
  /// What was said so far.
  public private(set) var history = ConversationHistory()

  /// What happens from now on, for as many listeners as ask; ends with the loop.
  public var events: AsyncStream<VoiceLoopEvent> { broadcast.stream() }

  @ObservationIgnored private let clock: any DeviceClock
  @ObservationIgnored private let broadcast = Broadcast<VoiceLoopEvent>()
  @ObservationIgnored private var machine: TurnMachine
  @ObservationIgnored private var origin = Duration.zero
  @ObservationIgnored private var turn = 0
  @ObservationIgnored private var stopwatch = TurnStopwatch(turn: 0)
  @ObservationIgnored private var inputs: [TurnInput] = []
  @ObservationIgnored private var isHandling = false
  @ObservationIgnored private var performance: ReplyPerformance?
  @ObservationIgnored private var hearing = LoopHearing()
  @ObservationIgnored private var results: [SpeechRecognitionResult] = []
  @ObservationIgnored private var listening: Task<Void, Never>?
  @ObservationIgnored private var relays: [Task<Void, Never>] = []
  @ObservationIgnored private var alarm: (time: Duration, task: Task<Void, Never>)?
  @ObservationIgnored private var endings: [Task<Void, Never>] = []
  @ObservationIgnored private var isOver = false
  @ObservationIgnored private var inputHasEnded = false

  /// A loop over these.
  ///
  /// - Parameter clock: the time that its rules go by; the clock of the devices, where they have one of
  ///   their own.
  public init(
    recognition: SpeechRecognitionEngine, responder: any Responder,
    synthesis: SpeechSynthesisEngine,
    configuration: VoiceLoopConfiguration = VoiceLoopConfiguration(),
    clock: any DeviceClock = RealClock()
  ) {
    self.recognition = recognition
    self.responder = responder
    self.synthesis = synthesis
    self.configuration = configuration
    self.clock = clock
    machine = TurnMachine(rules: configuration.rules)
  }

  // MARK: Life

  /// Begins to listen; returns when the first sound can be heard.
  ///
  /// - Throws: `VoiceLoopError.alreadyRunning`, and what the recognition engine throws.
  public func start() async throws {
    guard !isRunning, !isOver else { throw VoiceLoopError.alreadyRunning }
    isRunning = true
    origin = clock.time
    followVoice()
    do {
      try await listen()
    } catch {
      finish()
      throw error
    }
    handle(.opened)
    if !configuration.greeting.isEmpty { handle(.say(configuration.greeting)) }
  }

  /// Falls silent and deaf, and keeps everything.
  public func pause() {
    guard isRunning, !isPaused else { return }
    isPaused = true
    handle(.interrupt)
    stopListening()
  }

  /// Listens again.
  ///
  /// - Throws: what the recognition engine throws.
  public func resume() async throws {
    guard isRunning, isPaused else { return }
    isPaused = false
    try await listen()
  }

  /// Ends the loop: what is being said by the user is still recognised and told, what we say ends at once.
  public func stop() async {
    guard isRunning, !isOver else { return }
    isOver = true
    stopListening()
    await listening?.value
    handle(.interrupt)
    await finishEndings()
    finish()
  }

  /// Ends the loop at once.
  public func cancel() {
    guard isRunning, !isOver else { return }
    isOver = true
    stopListening()
    handle(.interrupt)
    finish()
  }

  /// Returns when the loop is over.
  public func waitUntilEnded() async {
    for await _ in events {}
  }

  // MARK: Orders

  /// Says something of our own accord; ends what is being said.
  public func say(_ text: String) { handle(.say(text)) }

  /// Ends what is being said, as the user can.
  public func interrupt() { handle(.interrupt) }

  /// The key to talk goes down: the user has the floor.
  public func pressToTalk() { handle(.keyPressed) }

  /// The key to talk goes up: what was said until now is the turn.
  public func releaseToTalk() { handle(.keyReleased) }

  /// Somebody else heard the wake word.
  public func wake(_ phrase: String) { handle(.wakeWord(phrase)) }

  // MARK: The machine

  private func handle(_ input: TurnInput) {
    inputs.append(input)
    // What comes while one is being handled waits its turn.
    guard !isHandling else { return }
    isHandling = true
    defer { isHandling = false }
    while !inputs.isEmpty {
      let next = inputs.removeFirst()
      note(next)
      for action in machine.handle(next, at: now) { perform(action) }
    }
    setAlarm()
    endIfInputEnded()
  }

  private var now: Duration { clock.time - origin }

  private func perform(_ action: TurnAction) {
    switch action {
    case .respond(let number, let text, let isEarly):
      let performance = makePerformance(number, question: text)
      let turn = UserTurn(text: text, results: results, isEarly: isEarly)
      stopwatch.hasAsked()
      performance.think { [weak self] in await self?.reply(to: turn) ?? .saying("") }
    case .voice(let number): voice(number)
    case .say(let number, let text):
      let performance = makePerformance(number)
      performance.voice.add(text, isInterruptible: true)
      performance.voice.complete()
      performance.voice.allow()
      tell(.replyText(text))
    case .fill(let number, let text): performance(number)?.fill(text)
    case .hold(let number): performance(number)?.voice.hold()
    case .goOn(let number): performance(number)?.voice.goOn()
    case .giveUp(let number): performance(number)?.giveUp()
    case .abandon(let number): end(number, keeps: false)
    case .interrupt(let number): end(number, keeps: true)
    case .conclude(let number): conclude(number)
    case .mute(let isMuted):
      (recognition.provider as? any ConversationalRecognition)?.isMuted = isMuted
    case .endUtterance:
      (recognition.provider as? any ConversationalRecognition)?.endUtterance()
    case .playEarcon: playEarcon()
    case .tell(let news): announce(news)
    }
  }

  private func setAlarm() {
    let deadline = isOver ? nil : machine.deadline
    guard alarm?.time != deadline else { return }
    alarm?.task.cancel()
    alarm = deadline.map { time in
      let (clock, origin) = (clock, origin)
      let task = Task { [weak self] in
        try? await clock.sleep(until: origin + time)
        guard !Task.isCancelled, let self else { return }
        self.alarm = nil
        self.handle(.timePassed)
      }
      return (time, task)
    }
  }

  // MARK: Hearing

  private func listen() async throws {
    let provider = recognition.provider as? any ConversationalRecognition
    provider?.endRule = configuration.endRule
    let heard = provider?.hearing
    let results = heard == nil ? recognition.results : nil
    try await recognition.startListening(locale: configuration.locale)
    hearing.origin = now
    listening = Task { [weak self] in
      if let heard {
        for await event in heard { self?.take(event) }
      } else if let results {
        for await result in results { self?.take(resultAlone: result) }
      }
      self?.listeningEnded()
    }
  }

  private func stopListening() { recognition.stopListening() }

  private func take(_ event: HearingEvent) {
    switch event {
    case .deviceLost(let error): tell(.recognitionFailed(error))
    case .deviceReturned: tell(.recognitionReturned)
    case .result(let result) where result.isFinal: results.append(result)
    default: break
    }
    for input in hearing.inputs(for: event) { handle(input) }
  }

  private func take(resultAlone result: SpeechRecognitionResult) {
    if result.isFinal { results.append(result) }
    for input in hearing.inputs(forResultAlone: result, at: now) { handle(input) }
  }

  private func listeningEnded() {
    for input in hearing.end() { handle(input) }
    guard isRunning, !isOver, !isPaused else { return }
    if let error = recognition.error {
      tell(.recognitionFailed(error))
      listenAgain()
    } else if configuration.endsWithInput {
      inputHasEnded = true
      endIfInputEnded()
    } else {
      listenAgain()
    }
  }

  /// Tries until it works; there is no conversation without ears.
  private func listenAgain() {
    listening = Task { [weak self, clock] in
      for delay in [0.5, 1, 2, 4, 8].map(Duration.seconds)
        + Array(repeating: .seconds(10), count: 1_000)
      {
        try? await clock.sleep(until: clock.time + delay)
        guard let self, !Task.isCancelled, self.isRunning, !self.isOver, !self.isPaused else {
          return
        }
        do {
          try await self.listen()
          self.tell(.recognitionReturned)
          return
        } catch {
          continue
        }
      }
    }
  }

  private func endIfInputEnded() {
    guard inputHasEnded, !isOver, performance == nil, inputs.isEmpty else { return }
    isOver = true
    Task {
      await finishEndings()
      finish()
    }
  }

  // MARK: Speaking

  /// Asks the responder, once it is known what the user has heard of the last reply.
  private func reply(to turn: UserTurn) async -> ReplyStream {
    await finishEndings()
    return responder.reply(to: turn, in: turn.isEarly ? history : history.beforeTurn)
  }

  private func voice(_ number: Int) {
    guard let performance = performance(number) else { return }
    if let question = performance.question { history.addUser(question) }
    results = []
    performance.voice.allow()
  }

  private func performance(_ number: Int) -> ReplyPerformance? {
    performance?.number == number ? performance : nil
  }

  private func makePerformance(_ number: Int, question: String? = nil) -> ReplyPerformance {
    let made = ReplyPerformance(
      number: number, question: question, engine: synthesis, voice: configuration.voice,
      aligner: configuration.aligner
    ) { [weak self] news in self?.take(news, of: number) }
    performance = made
    return made
  }

  private func take(_ news: ReplyPerformance.News, of number: Int) {
    guard performance?.number == number else { return }
    switch news {
    case .text(let text, let isInterruptible):
      stopwatch.hasToken(at: now)
      tell(.replyText(text))
      handle(.replyText(reply: number, text: text, isInterruptible: isInterruptible))
    case .goodbye: break
    case .complete: handle(.replyComplete(reply: number))
    case .failed(let reason): handle(.replyFailed(reply: number, reason: reason))
    case .started(let sentence, let isInterruptible):
      if stopwatch.hasSound(at: now) { tell(.timings(stopwatch.timings)) }
      tell(.speaking(sentence))
      handle(.soundStarted(reply: number, isInterruptible: isInterruptible))
    case .word(let range): tell(.word(range))
    case .silent: handle(.soundEnded(reply: number))
    case .voiceFailed(let error): tell(.voiceFailed(error))
    }
  }

  private func end(_ number: Int, keeps: Bool) {
    guard let ended = performance(number) else { return }
    performance = nil
    let place = keeps ? history.addReply() : nil
    // What is heard is over at once; what was heard is known a moment later.
    endings.append(
      Task {
        let ledger = await ended.stop()
        guard let place else { return }
        history.setReply(place, ledger)
        tell(.interrupted(heard: ledger.heard, unheard: ledger.unheard))
      })
  }

  private func conclude(_ number: Int) {
    guard let ended = performance(number) else { return }
    performance = nil
    let ledger = ended.voice.ledger
    if !ledger.sentences.isEmpty { _ = history.addReply(ledger) }
    tell(.replyFinished(ledger.heard))
    if ended.saidGoodbye {
      isOver = true
      stopListening()
      Task {
        await finishEndings()
        finish()
      }
    }
  }

  /// The engine's events are asked for once: which reply they belong to is known here.
  private func followVoice() {
    let (events, positions) = (synthesis.events, synthesis.positions)
    relays.append(
      Task { [weak self] in
        for await event in events where event == .started {
          self?.performance?.voice.soundStarted()
        }
      })
    relays.append(
      Task { [weak self] in
        for await position in positions { self?.performance?.voice.reached(position) }
      })
  }

  private func playEarcon() {
    guard let earcon = configuration.earcon else { return handle(.earconEnded) }
    endings.append(
      Task {
        // A conversation goes on without it.
        try? await earcon.play()
        handle(.earconEnded)
      })
  }

  // MARK: Telling

  private func note(_ input: TurnInput) {
    if case .speechStopped(_, let lastVoice) = input {
      stopwatch.stopped(lastVoice: lastVoice, at: now)
    }
  }

  private func announce(_ news: TurnNews) {
    switch news {
    case .listening: tell(.listening)
    case .asleep: tell(.asleep)
    case .awake(let phrase): tell(.awake(phrase))
    case .userStarted: tell(.userStarted)
    case .userPartial(let text): tell(.userPartial(text))
    case .userFinal(let text):
      turn += 1
      stopwatch.begin(turn: turn)
      stopwatch.hasFinal(at: now)
      tell(.userFinal(text))
    case .userIgnored(let text, let reason): tell(.userIgnored(text, reason))
    case .thinking: tell(.thinking)
    case .replyHeld: tell(.replyHeld)
    case .replyResumed(let reason): tell(.replyResumed(reason))
    // Told when it is known what was heard.
    case .replyInterrupted, .replyFinished: break
    case .replyFailed(let reason): tell(.replyFailed(reason))
    case .prompted(let number): tell(.prompted(number))
    case .away: tell(.away)
    }
  }

  private func tell(_ kind: VoiceLoopEvent.Kind) {
    broadcast.send(VoiceLoopEvent(time: now, turn: turn, kind: kind))
  }

  private func finishEndings() async {
    while !endings.isEmpty {
      let ending = endings.removeFirst()
      await ending.value
    }
  }

  private func finish() {
    guard isRunning else { return }
    isRunning = false
    isOver = true
    alarm?.task.cancel()
    alarm = nil
    for relay in relays { relay.cancel() }
    tell(.ended)
    broadcast.finish()
  }
}
