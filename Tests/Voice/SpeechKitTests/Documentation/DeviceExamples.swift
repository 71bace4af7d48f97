import SpeechKit

// Code of the documents that no test runs, because it needs a microphone or a loudspeaker. The
// samples and the tests with a null sink run the same calls.

@MainActor
func hearing() async throws {
  let ears = SpeechRecognitionEngine()
  try await ears.startListening(locale: Locale(identifier: "en-US"))
  for await result in ears.results where result.isFinal {
    print(result.text)
    if result.text == "stop listening" { ears.stopListening() }
  }
}

@MainActor
func hearingAChoice() async throws {
  let lights = """
    #JSGF V1.0; grammar lights;
    public <order> = turn the ( kitchen | hall ) lights ( on | off );
    """
  let provider = PocketSphinxRecognitionProvider(
    configuration: PocketSphinxConfiguration(search: .grammar(lights)))
  let engine = SpeechRecognitionEngine(provider: provider)
  try await engine.startListening(locale: Locale(identifier: "en-US"))
}

@MainActor
func speaking() async throws {
  let mouth = SpeechSynthesisEngine()
  try await mouth.speak(text: "Good morning.", voice: "en-GB")
}

#if Espeak
@MainActor
func speakingInAnotherManner() async throws {
  let calm = EspeakConfiguration(rate: 0.4, pitchMultiplier: 0.9, voice: "en-us+f3")
  let engine = SpeechSynthesisEngine(provider: EspeakSynthesisProvider(configuration: calm))
  try await engine.speak(text: "There is no hurry.")
}
#endif

@MainActor
func followingTheVoice(_ engine: SpeechSynthesisEngine) async throws {
  let positions = engine.positions
  Task {
    for await position in positions where position.kind == .word {
      print(position.textRange, position.audioOffset)
    }
  }
  try await engine.speak(text: "Each word is told when it is heard.")
}

func diagnosing() async {
  for finding in await SpeechDiagnostics.run() where finding.status != .ok {
    print(finding.title, finding.detail, finding.remedy ?? "")
  }
}

@MainActor
func transcribing(_ file: URL) async throws {
  let transcript = try await SpeechTranscriber().transcribe(file)
  print(transcript.text)
}

@MainActor
func hearingOverOurOwnVoice() async throws {
  let devices = EchoCancellingDevices(
    microphone: PortAudioMicrophone(), speaker: PortAudioSpeaker())
  let ears = PocketSphinxRecognitionProvider(
    configuration: PocketSphinxConfiguration(), input: devices.microphone)
  let mouth = FliteSynthesisProvider(
    engine: FliteEngine(), configuration: .default, output: devices.speaker)
  _ = (ears, mouth)
}

func lookingAtTheEcho(_ devices: EchoCancellingDevices) {
  if let echo = devices.statistics {
    print("in at -\(echo.echoReturnLoss) dB, \(echo.echoReturnLossEnhancement) dB less afterwards")
  }
}

func cancellingAnEcho(played: [PCMBuffer], heard: [PCMBuffer]) throws -> [PCMBuffer] {
  var canceller = try EchoCanceller(
    configuration: EchoCancellerConfiguration(noiseSuppression: .moderate))
  var voice: [PCMBuffer] = []
  for (played, heard) in zip(played, heard) {
    try canceller.analyse(playback: played)
    voice.append(try canceller.process(heard))
  }
  return voice
}
