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

  /// A Boolean value that indicates whether the loop has been started and has not ended.
  public var isRunning: Bool { phase != .ready && phase != .ended }
  /// True between `pause()` and `resume()`.
  public var isPaused: Bool { phase == .paused }
  /// What was said so far.
  public internal(set) var history = ConversationHistory()

  /// Why it did what it did, of late.
  @ObservationIgnored public private(set) var trace = DecisionTrace()

  /// What happens from now on, for as many listeners as ask; ends with the loop.
  public var events: AsyncStream<VoiceLoopEvent> { broadcast.stream() }

  @ObservationIgnored let clock: any DeviceClock
  @ObservationIgnored let broadcast = Broadcast<VoiceLoopEvent>()
  @ObservationIgnored var machine: TurnMachine
  @ObservationIgnored var origin = Duration.zero
  @ObservationIgnored var turn = 0
  @ObservationIgnored var stopwatch = TurnStopwatch(turn: 0)
  @ObservationIgnored var inputs: [TurnInput] = []
  @ObservationIgnored var isHandling = false
  @ObservationIgnored var performance: ReplyPerformance?
  @ObservationIgnored var listening = Listening()
  @ObservationIgnored var timers = LoopTimers()
  /// The replies that were ended and whose heard part is not known yet.
  @ObservationIgnored var endings: [Task<Void, Never>] = []

  /// The life of a loop.
  enum Phase {
    case ready
    case running
    case paused
    /// Nothing new begins; the last words are still recognised and reported.
    case ending
    case ended
  }

  var phase = Phase.ready
  var isOver: Bool { phase == .ending || phase == .ended }

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
    var rules = configuration.rules
    // Nothing is waited for that cannot be heard.
    if configuration.earcon == nil { rules.hasEarcon = false }
    machine = TurnMachine(rules: rules)
  }

  // MARK: Life

  /// Begins to listen; returns when the first sound can be heard.
  ///
  /// - Throws: `VoiceLoopError.alreadyRunning`, and what the recognition engine throws.
  public func start() async throws {
    guard phase == .ready else { throw VoiceLoopError.alreadyRunning }
    phase = .running
    origin = clock.time
    followVoice()
    do {
      try await listen()
    } catch {
      finish()
      throw error
    }
    guard !isOver else { return }
    handle(.opened)
    if !configuration.greeting.isEmpty { handle(.say(configuration.greeting)) }
  }

  /// Falls silent and deaf, and keeps everything.
  public func pause() {
    guard phase == .running else { return }
    phase = .paused
    handle(.closed)
    stopListening()
  }

  /// Listens again.
  ///
  /// - Throws: what the recognition engine throws.
  public func resume() async throws {
    guard phase == .paused else { return }
    phase = .running
    do {
      try await listen()
    } catch {
      if phase == .running { phase = .paused }
      throw error
    }
    guard phase == .running else { return }
    handle(.opened)
  }

  /// Ends the loop: what is being said by the user is still recognised and told, what we say ends at once.
  public func stop() async {
    guard isRunning, !isOver else { return }
    phase = .ending
    handle(.closed)
    stopListening()
    await listening.reader?.value
    await finishEndings()
    finish()
  }

  /// Ends the loop at once.
  public func cancel() {
    guard isRunning, !isOver else { return }
    phase = .ending
    handle(.closed)
    stopListening()
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

  func handle(_ input: TurnInput) {
    inputs.append(input)
    // What comes while one is being handled waits its turn.
    guard !isHandling else { return }
    isHandling = true
    defer { isHandling = false }
    while !inputs.isEmpty {
      let next = inputs.removeFirst()
      note(next)
      let actions = machine.handle(next, at: now)
      trace.note(next, actions, at: now, rules: configuration.rules)
      for action in actions { perform(action) }
    }
    followAttention()
    setAlarm()
    endIfInputEnded()
  }

  var now: Duration { clock.time - origin }

  private func perform(_ action: TurnAction) {
    switch action {
    case .respond(let number, let text, let isEarly):
      let performance = makePerformance(number, question: text)
      let turn = UserTurn(text: text, results: isEarly ? [] : listening.results, isEarly: isEarly)
      stopwatch.hasAsked()
      let place = history.placeCount
      performance.think { [weak self] in
        await self?.reply(to: turn, after: place) ?? .saying("")
      }
    case .voice(let number): voice(number)
    case .say(let number, let text):
      let performance = makePerformance(number)
      performance.voice.add(text, isInterruptible: true)
      performance.voice.complete()
      performance.voice.allow()
      report(.replyText(text))
    case .fill(let number, let text):
      report(.replyText(text + " "))
      performance(number)?.fill(text)
    case .hold(let number): performance(number)?.voice.hold()
    case .resume(let number): performance(number)?.voice.resume()
    case .stopWaiting(let number): performance(number)?.stopWaiting()
    case .discard(let number): end(number, hasSounded: false)
    case .interrupt(let number): end(number, hasSounded: true)
    case .conclude(let number): conclude(number)
    case .mute(let isMuted):
      (recognition.provider as? any ConversationalRecognition)?.isMuted = isMuted
    case .endUtterance:
      (recognition.provider as? any ConversationalRecognition)?.endUtterance()
    case .playEarcon: playEarcon()
    case .report(let kind): report(kind)
    }
  }

  private func setAlarm() {
    let deadline = isOver ? nil : machine.deadline
    guard timers.alarm?.time != deadline else { return }
    timers.alarm?.task.cancel()
    timers.alarm = deadline.map { time in
      let (clock, origin) = (clock, origin)
      let task = Task { [weak self] in
        try? await clock.sleep(until: origin + time)
        guard !Task.isCancelled, let self else { return }
        self.timers.alarm = nil
        self.handle(.timePassed)
      }
      return (time, task)
    }
  }
}
