import AIServices
import AIServiceTesting
import Foundation
import SpeechAudio
import SpeechCloud
import SpeechCore
import SpeechTesting
import Testing

/// Tests of the laws of voices and decoders for services, with a server on this machine.
@Suite(.serialized) @MainActor
struct CloudConformanceTests {
  @Test(arguments: VoiceEngineLaw.allCases)
  func `voices of services conform to the laws of voices`(_ law: VoiceEngineLaw) async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { CloudBench.speech($0) }
    let openAI = VoiceEngineConformance(
      bench.openAI(), configuration: CloudBench.patient, asksForVoices: false)
    let objection = try await openAI.objection(to: law)
    #expect(objection == nil, "OpenAI: \(objection ?? "")")
    // Speech with times is requested for playback, and the whole as a file.
    bench.server.reply { request in
      guard !request.path.contains("timestamps") else { return CloudBench.timedSpeech(request) }
      let text = request.json["text"]?.stringValue ?? ""
      let sound = PCMBuffer(
        samples: CloudBench.samples(of: text).values, format: AudioFormat(sampleRate: 24_000))
      return .fixed(
        headers: ["Content-Type": "audio/mpeg"],
        body: (try? AudioFile.encode(sound, as: .mp3)) ?? Data())
    }
    let elevenLabs = VoiceEngineConformance(
      bench.elevenLabs(), configuration: CloudBench.patient, asksForVoices: false)
    let other = try await elevenLabs.objection(to: law)
    #expect(other == nil, "ElevenLabs: \(other ?? "")")
  }

  /// Recognises words where there is audio, like a service.
  private nonisolated static func transcript(_ request: RecordedRequest) -> ScriptedReply {
    guard let start = request.body.range(of: Data("RIFF".utf8))?.lowerBound,
      let end = request.body.range(
        of: Data("\r\n--".utf8), in: start..<request.body.endIndex)?.lowerBound,
      let sound = try? AudioFile.read(Data(request.body[start..<end]))
    else { return .json(#"{"text":""}"#) }
    return .json(sound.level > -60 ? #"{"text":"Good morning, everybody."}"# : #"{"text":""}"#)
  }

  @Test(arguments: DecoderLaw.allCases)
  func `the decoder of a service conforms to the laws of decoders`(_ law: DecoderLaw) async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { Self.transcript($0) }
    let suite = DecoderConformance<OpenAITranscriptionDecoder>(
      configuration: .init(service: bench.openAI().service),
      speech: try await Speaker(.flite, voice: "slt").say("good morning everybody"),
      words: "good morning everybody")
    let objection = try await suite.objection(to: law)
    #expect(objection == nil, "\(objection ?? "")")
  }
}
