import SpeechConcurrency

extension Scenario {
  /// Holds the conversation and judges it.
  ///
  /// One at a time in a process, because a virtual world takes all of its tasks.
  ///
  /// - Parameter seed: for all that is chance; the scenario's own unless given.
  /// - Throws: what the voices, the recogniser and the virtual world throw; `CancellationError` when the task is
  ///   cancelled. That expectations are not met is no error, but in the outcome.
  public func run(seed: UInt64? = nil) async throws -> ScenarioOutcome {
    let began = ContinuousClock.now
    let record = try await record(seed: seed)
    return ScenarioOutcome(
      self, record, seed: seed ?? script.seed, seconds: began.duration(to: .now) / .seconds(1))
  }

  /// Holds the conversation.
  ///
  /// - Throws: as `run(seed:)` does.
  public func record(seed: UInt64? = nil) async throws -> ConversationRecord {
    let machinery = try ScenarioMachinery(self)
    return try await VirtualConversation.play(script, seed: seed) { devices in
      try machinery.makeLoop(devices)
    }
  }
}

/// What a scenario's loop is made of, looked at before anybody speaks.
private struct ScenarioMachinery: Sendable {
  private let scenario: Scenario
  private let recognition: PocketSphinxConfiguration
  private let endRule: UtteranceEndRule

  init(_ scenario: Scenario) throws {
    self.scenario = scenario
    guard let grammar = scenario.grammar else {
      recognition = PocketSphinxConfiguration().withStandardPronunciations
      endRule = .english()
      return
    }
    let commands = grammar.commands.inConversation(scenario.rules)
    recognition =
      PocketSphinxConfiguration(
        search: .grammar(try commands.jsgfText()), acceptance: scenario.acceptance
      ).withStandardPronunciations
    endRule = .grammar(try CommandMatcher(commands))
  }

  @MainActor func makeLoop(_ devices: VirtualConversation.Devices) throws -> VoiceLoop {
    let configuration = VoiceLoopConfiguration(
      rules: scenario.rules, voice: scenario.voice.voice, greeting: scenario.greeting,
      endRule: endRule)
    return VoiceLoop(
      recognition: SpeechRecognitionEngine(provider: ears(devices)),
      responder: devices.recorder.responder(try responder(clock: devices.clock)),
      synthesis: SpeechSynthesisEngine(provider: mouth(devices)),
      configuration: configuration, clock: devices.clock)
  }

  @MainActor private func ears(
    _ devices: VirtualConversation.Devices
  ) -> any SpeechRecognitionProvider {
    let (clock, deaths) = (devices.clock, scenario.recogniserDeaths)
    let origin = clock.time
    switch scenario.recogniser {
    case .pocketsphinx:
      return DecoderRecognitionProvider<FaultyDecoder<PocketSphinxDecoder>>(
        configuration: .init(
          inner: recognition,
          breaking: DecoderBreak(clock: clock, at: deaths.map { origin + $0 })),
        input: devices.microphone)
    case .exact:
      let ears = ScriptedRecogniser { (clock.time - origin) / .seconds(1) }
      devices.room?.tellWords(to: ears)
      for death in deaths {
        Task {
          try await clock.sleep(until: origin + death)
          ears.fail(.recognitionFailed("it broke, as the test asked for"))
        }
      }
      // The sound is not listened to, and yet belongs to the record.
      let microphone = devices.microphone
      Task {
        let capture = try await microphone.open()
        while try await capture.read() != nil, ears.stopRequests == 0 {}
        capture.stop()
      }
      return ears
    }
  }

  @MainActor private func mouth(
    _ devices: VirtualConversation.Devices
  ) -> any SpeechSynthesisProvider {
    let (voice, faults) = (scenario.voice, scenario.voiceFaults)
    let style = SpeakingStyle(rate: voice.rate, pitchMultiplier: voice.pitch)
    switch voice.engine {
    case .flite:
      return VoiceSynthesisProvider(
        engine: FaultyVoiceEngine(FliteEngine(), faults, clock: devices.clock),
        configuration: FliteConfiguration(style: style), output: devices.speaker)
    case .espeak:
      return VoiceSynthesisProvider(
        engine: FaultyVoiceEngine(EspeakEngine(), faults, clock: devices.clock),
        configuration: EspeakConfiguration(style: style), output: devices.speaker)
    }
  }

  private func responder(clock: any DeviceClock) throws -> any Responder {
    let lines = scenario.replies.compactMap { reply -> ScriptedResponder.Line? in
      if case .inTurn(let text) = reply { .init(stringLiteral: text) } else { nil }
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
