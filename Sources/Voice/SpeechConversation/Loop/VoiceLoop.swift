import Foundation
import Observation
import SpeechAudio
import SpeechConcurrency
import SpeechCore

/// A spoken conversation: hears the user, asks a responder, speaks its reply, and lets the user
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
/// A loop works with any providers. With a `ConversationalRecognition`, such as every decoder of
/// this toolkit, it notices speech before a word is understood, and can mute the microphone. With
/// other recognisers it knows only their results.
@Observable
@MainActor
public final class VoiceLoop {
  /// The engine that recognises the user's speech.
  public let recognition: SpeechRecognitionEngine
  /// The responder that answers the user's turns.
  public let responder: any Responder
  /// The engine that speaks the replies.
  public let synthesis: SpeechSynthesisEngine
  /// The configuration of the loop.
  public let configuration: VoiceLoopConfiguration

  /// A Boolean value that indicates whether the loop has been started and has not ended.
  public var isRunning: Bool { phase != .ready && phase != .ended }
  /// True between `pause()` and `resume()`.
  public var isPaused: Bool { phase == .paused }
  /// The conversation so far.
  public internal(set) var history = ConversationHistory()

  /// The most recent decisions of the loop, with their reasons.
  @ObservationIgnored public private(set) var trace = DecisionTrace()

  /// A stream of the events from now on. Each listener has a stream of its own, which ends with the
  /// loop.
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

  /// Creates a loop that has not started.
  ///
  /// - Parameter clock: The clock of the rules. Pass the clock of the devices if they have their
  ///   own.
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
    // Without an earcon there is nothing to wait for.
    if configuration.earcon == nil { rules.hasEarcon = false }
    machine = TurnMachine(rules: rules)
  }

  // MARK: Life

  /// Starts to listen. Returns when the first audio can be heard.
  ///
  /// - Throws: `VoiceLoopError.alreadyRunning`, and the errors of the recognition engine.
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

  /// Stops listening and speaking. The conversation so far is kept.
  public func pause() {
    guard phase == .running else { return }
    phase = .paused
    handle(.closed)
    stopListening()
  }

  /// Starts to listen again.
  ///
  /// - Throws: The errors of the recognition engine.
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

  /// Ends the loop. The user's last words are still recognised and reported; the loop's own speech
  /// ends at once.
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

  // MARK: Orders

  /// Speaks the text, and ends a reply that is being heard.
  public func say(_ text: String) { handle(.say(text)) }

  /// Ends the reply that is being heard, as the user can.
  public func interrupt() { handle(.interrupt) }

  /// Gives the user the floor: the push-to-talk key is down.
  public func pressToTalk() { handle(.keyPressed) }

  /// Ends the turn: the push-to-talk key is up.
  public func releaseToTalk() { handle(.keyReleased) }

  /// Wakes the loop when the app has heard the wake word by other means.
  public func wake(_ phrase: String) { handle(.wakeWord(phrase)) }

  // MARK: The machine

  func handle(_ input: TurnInput) {
    inputs.append(input)
    // Inputs that arrive meanwhile are handled afterwards, in order.
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
      performance.think(with: responder.handlerName) { [weak self] in
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
    case .supersede(let number):
      if let place = performance(number)?.questionPlace { history.remove(place) }
      end(number, hasSounded: false)
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
