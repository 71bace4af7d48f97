import SpeechConcurrency

extension Scenario {
  /// Holds the conversation and judges it.
  ///
  /// One scenario runs at a time in a process, because a virtual world takes all of its tasks.
  ///
  /// - Parameter seed: The seed of all random choices; by default the scenario's own.
  /// - Throws: The errors of the voices, the recogniser and the virtual world; `CancellationError`
  ///   if the task is cancelled. Unmet expectations are no error, but part of the outcome.
  public func run(seed: UInt64? = nil) async throws -> ScenarioOutcome {
    let began = ContinuousClock.now
    let record = try await record(seed: seed)
    return ScenarioOutcome(
      self, record, seed: seed ?? script.seed, seconds: began.duration(to: .now) / .seconds(1))
  }

  /// Holds the conversation.
  ///
  /// - Throws: The errors of `run(seed:)`.
  public func record(seed: UInt64? = nil) async throws -> ConversationRecord {
    let assembly = try await ScenarioAssembly(self)
    return try await VirtualConversation.play(script, seed: seed) { devices in
      try assembly.makeLoop(devices)
    }
  }
}

/// The loop of a scenario, with faults in its parts.
private struct ScenarioAssembly: Sendable {
  private let scenario: Scenario
  private let assembly: VoiceLoopAssembly

  init(_ scenario: Scenario) async throws {
    self.scenario = scenario
    var settings = ConversationSettings()
    settings.rules = scenario.rules
    settings.greeting = scenario.greeting
    // The record of a scenario has voices and replies, and no signals.
    settings.rules.hasEarcon = false
    settings.acceptance = scenario.acceptance
    if case .named(let name) = scenario.recogniser { settings.recogniser = name }
    let voice = scenario.voice
    settings.voice = BackendName(entry: voice.engine.rawValue, variant: voice.voice).text
    assembly = try await VoiceLoopAssembly(
      settings, grammar: scenario.grammar?.commands,
      style: SpeakingStyle(rate: voice.rate, pitchMultiplier: voice.pitch),
      // Everything is recognised, so that a scenario can expect what is ignored before the wake
      // word.
      spotsWakeWord: false)
  }

  @MainActor func makeLoop(_ devices: VirtualConversation.Devices) throws -> VoiceLoop {
    assembly.makeLoop(
      on: devices.forLoop,
      responder: devices.recorder.responder(try responder(clock: devices.clock)),
      recognition: recognition(devices), synthesis: synthesis(devices))
  }

  @MainActor private func recognition(
    _ devices: VirtualConversation.Devices
  ) -> any SpeechRecognitionProvider {
    let (clock, deaths) = (devices.clock, scenario.recogniserDeaths)
    let origin = clock.time
    switch scenario.recogniser {
    case .named:
      return DecoderRecognitionProvider<FaultyDecoder<AnyDecoder>>(
        configuration: .init(
          inner: assembly.recogniser.configuration,
          breaking: DecoderBreak(clock: clock, at: deaths.map { origin + $0 })),
        input: devices.microphone)
    case .exact:
      let recogniser = ScriptedRecogniser { (clock.time - origin) / .seconds(1) }
      devices.room?.tellWords(to: recogniser)
      recogniser.companions = deaths.map { death in
        Task { [weak recogniser] in
          try await clock.sleep(until: origin + death)
          recogniser?.fail(.recognitionFailed("it broke, as the test asked for"))
        }
      }
      // The audio is not recognised, but belongs to the record.
      let microphone = devices.microphone
      recogniser.companions.append(
        Task {
          let capture = try await microphone.open()
          defer { capture.stop() }
          while try await capture.read() != nil {}
        })
      return recogniser
    }
  }

  @MainActor private func synthesis(
    _ devices: VirtualConversation.Devices
  ) -> any SpeechSynthesisProvider {
    func mouth(_ engine: some VoiceEngine<Void>) -> any SpeechSynthesisProvider {
      VoiceSynthesisProvider(
        engine: FaultyVoiceEngine(engine, scenario.voiceFaults, clock: devices.clock),
        configuration: (), output: devices.speaker)
    }
    return mouth(assembly.voice.engine)
  }

  private func responder(clock: any DeviceClock) throws -> any Responder {
    let lines = scenario.replies.compactMap { reply -> ScriptedResponder.Line? in
      guard case .inTurn(let parts) = reply else { return nil }
      return .init(timed: parts.map { ($0.delay, .text($0.text)) })
    }
    let echoes = scenario.replies.contains(.echo)
    var responder: any Responder =
      lines.isEmpty && echoes ? EchoResponder() : ScriptedResponder(lines, clock: clock)
    if let grammar = scenario.grammar {
      var intents = try IntentResponder(grammar.commands, otherwise: responder)
      for case .toIntent(let name, let text) in scenario.replies {
        intents = intents.on(name) { match in
          match.slots.reduce(text) { text, slot in
            text.replacing("{\(slot.name)}", with: slot.text)
          }
        }
      }
      responder = intents
    }
    return FaultyResponder(responder, scenario.responderFaults, clock: clock)
  }
}
