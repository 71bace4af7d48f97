import ConformanceTesting
import SpeechTesting
import Testing

/// The conformance suites on the toolkit's own recognisers and voices.
@Suite(.serialized) struct ConformanceTests {
  @Test(arguments: VoiceEngineLaw.allCases)
  func `Flite keeps the law`(_ law: VoiceEngineLaw) async throws {
    let suite = VoiceEngineConformance(FliteEngine(), configuration: .default)
    let objection = try await suite.objection(to: law)
    #expect(objection == nil, "\(objection ?? "")")
  }

  #if Espeak
  @Test(arguments: VoiceEngineLaw.allCases)
  func `eSpeak keeps the law`(_ law: VoiceEngineLaw) async throws {
    let suite = VoiceEngineConformance(EspeakEngine(), configuration: .default)
    let objection = try await suite.objection(to: law)
    #expect(objection == nil, "\(objection ?? "")")
  }
  #endif

  static let grammar = "#JSGF V1.0; grammar light; public <order> = turn ( on | off ) the light;"
  static let broken = PocketSphinxConfiguration(search: .grammar("this is no grammar"))

  @Test(arguments: DecoderLaw.allCases)
  func `PocketSphinx keeps the law`(_ law: DecoderLaw) async throws {
    let suite = DecoderConformance<PocketSphinxDecoder>(
      configuration: PocketSphinxConfiguration(search: .grammar(Self.grammar)), broken: Self.broken,
      speech: try await Speaker(.flite, voice: "slt").say("turn on the light"),
      words: "turn on the light")
    let objection = try await suite.objection(to: law)
    #expect(objection == nil, "\(objection ?? "")")
  }

  @Test(arguments: RecognitionProviderLaw.allCases)
  func `PocketSphinx at a microphone keeps the law`(_ law: RecognitionProviderLaw) async throws {
    let speech = try await Speaker(.flite, voice: "slt").say("turn on the light")
    let suite = RecognitionProviderConformance {
      let microphone = ScriptedMicrophone()
      return .init(
        PocketSphinxRecognitionProvider(
          configuration: PocketSphinxConfiguration(search: .grammar(Self.grammar)),
          input: microphone)
      ) { microphone.say(speech, after: .milliseconds(300)) }
    }
    let objection = try await suite.objection(to: law)
    #expect(objection == nil, "\(objection ?? "")")
  }

  @Test(arguments: RecognitionProviderLaw.allCases)
  func `the mock and the scripted recogniser keep the law`(
    _ law: RecognitionProviderLaw
  ) async throws {
    let mocks = RecognitionProviderConformance {
      let mock = MockSpeechRecognitionProvider()
      return .init(mock) { [weak mock] in
        mock?.simulatePartialResult("turn on")
        mock?.simulateFinalResult("turn on the light")
      }
    }
    let scripted = RecognitionProviderConformance {
      let ears = ScriptedRecogniser()
      return .init(ears) { [weak ears] in
        ears?.begin()
        ears?.guess("turn on")
        ears?.finish("turn on the light")
      }
    }
    for suite in [mocks, scripted] {
      let objection = try await suite.objection(to: law)
      #expect(objection == nil, "\(objection ?? "")")
    }
  }

  @Test(arguments: SynthesisProviderLaw.allCases)
  func `voices at a loudspeaker and the mock keep the law`(
    _ law: SynthesisProviderLaw
  ) async throws {
    let suites = [
      SynthesisProviderConformance {
        FliteSynthesisProvider(
          engine: FliteEngine(), configuration: .default, output: MemorySpeaker())
      },
      SynthesisProviderConformance {
        AppleSpeechSynthesisProvider(
          engine: .init(), configuration: .default, output: MemorySpeaker())
      },
      SynthesisProviderConformance { MockSpeechSynthesisProvider() },
    ]
    for suite in suites {
      let objection = try await suite.objection(to: law)
      #expect(objection == nil, "\(objection ?? "")")
    }
  }

  /// A voice that breaks several laws.
  private struct BadVoice: VoiceEngine {
    let engineId = "bad"

    func canGenerate(with configuration: Void) -> Bool { true }
    func fetchVoices(languageCode: String, configuration: Void) async throws -> [Voice] {
      [Voice(id: "a", name: "A", languages: []), Voice(id: "a", name: "A", languages: ["en"])]
    }
    func generateAudio(
      request: VoiceEngineRequest, configuration: Void
    ) async throws -> VoiceEngineOutput {
      let silence = PCMBuffer.silence(.seconds(1), format: .recognition)
      return VoiceEngineOutput(audioData: try AudioFile.encode(silence), audioFormat: .wav)
    }
    func estimateDuration(request: VoiceEngineRequest, configuration: Void) -> Double { .nan }
    func isVoiceAvailable(voiceId: String, configuration: Void) async -> Bool { true }
  }

  @Test func `all violations of a voice are reported at once`() async throws {
    let failure = await #expect(throws: ConformanceFailure.self) {
      try await VoiceEngineConformance(BadVoice(), configuration: ()).run()
    }
    let text = failure?.errorDescription ?? ""
    for law in ["speaks", "refusesNothing", "refusesUnknownVoices", "knowsItsVoices", "estimates"] {
      #expect(text.contains("\(law): "), "\(text)")
    }
    #expect(text.contains("a voice is there twice"))
  }
}
