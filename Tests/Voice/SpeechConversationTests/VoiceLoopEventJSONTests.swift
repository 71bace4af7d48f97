import Foundation
import SpeechConversation
import SpeechCore
import TestSupport
import Testing

struct VoiceLoopEventJSONTests {
  private static var timings: TurnTimings {
    var timings = TurnTimings(turn: 2)
    timings.endOfTurn = .milliseconds(350)
    timings.finalText = .microseconds(1_234)
    timings.firstToken = .milliseconds(-20)
    return timings
  }

  static let kinds: [(VoiceLoopEvent.Kind, String)] = [
    (.listening, #""kind":"listening""#),
    (.asleep, #""kind":"asleep""#),
    (.awake("computer"), #""kind":"awake","text":"computer""#),
    (.userStarted, #""kind":"userStarted""#),
    (.userPartial("turn"), #""kind":"userPartial","text":"turn""#),
    (.userFinal("turn “it” on\n"), #""kind":"userFinal","text":"turn “it” on\n""#),
    (
      .userIgnored("mhm", .listenerSound),
      #""kind":"userIgnored","reason":"listenerSound","text":"mhm""#
    ),
    (.thinking, #""kind":"thinking""#),
    (.replyText("Hello. "), #""kind":"replyText","text":"Hello. ""#),
    (.speaking("Hello."), #""kind":"speaking","text":"Hello.""#),
    (.word(3..<7), #""end":7,"kind":"word","start":3"#),
    (.replyHeld, #""kind":"replyHeld""#),
    (.replyResumed(.nothingUnderstood), #""kind":"replyResumed","reason":"nothingUnderstood""#),
    (
      .interrupted(heard: "a b", unheard: "c"), #""heard":"a b","kind":"interrupted""#
    ),
    (.replyFinished("a"), #""kind":"replyFinished","text":"a""#),
    (.replyFailed("no"), #""detail":"no","kind":"replyFailed""#),
    (
      .voiceFailed(.playbackFailed("broken")),
      #""detail":"broken","error":"playbackFailed","kind":"voiceFailed""#
    ),
    (
      .voiceFailed(.providerNotAvailable("flite")),
      #""detail":"flite","error":"providerNotAvailable","kind":"voiceFailed""#
    ),
    (.prompted(2), #""kind":"prompted","number":2"#),
    (.away, #""kind":"away""#),
    (
      .recognitionFailed(.audioEngineError("gone")),
      #""detail":"gone","error":"audioEngineError","kind":"recognitionFailed""#
    ),
    (.recognitionReturned, #""kind":"recognitionReturned""#),
    (.timings(timings), #""kind":"timings","time":1.25,"timings":{"endOfTurn":0.35,"#),
    (.ended, #""kind":"ended""#),
  ]

  @Test(arguments: kinds.indices)
  func `an event survives a round trip through one line of JSON`(index: Int) throws {
    let (kind, json) = Self.kinds[index]
    let event = VoiceLoopEvent(time: .milliseconds(1_250), turn: 2, kind: kind)
    #expect(event.line.contains(json), "\(event.line)")
    #expect(event.line.contains(#""time":1.25"#) && event.line.contains(#""turn":2"#))
    #expect(!event.line.contains("\n"))
    #expect(try JSONDecoder().decode(VoiceLoopEvent.self, from: Data(event.line.utf8)) == event)
  }

  @Test func `every voice and recogniser error survives a round trip`() throws {
    let voices: [SpeechSynthesisProviderError] = [
      .initializationFailed("a"), .invalidText, .voiceNotAvailable("v"), .networkUnavailable,
      .authenticationFailed, .rateLimitExceeded, .cancelled, .unknown("x"),
    ]
    let recognisers: [SpeechRecognitionError] = [
      .notAvailable, .notAuthorized, .recognitionFailed("r"), .cancelled,
    ]
    for kind in voices.map(VoiceLoopEvent.Kind.voiceFailed)
      + recognisers.map(VoiceLoopEvent.Kind.recognitionFailed)
    {
      let event = VoiceLoopEvent(time: .zero, turn: 0, kind: kind)
      #expect(try JSONDecoder().decode(VoiceLoopEvent.self, from: Data(event.line.utf8)) == event)
    }
  }

  @Test(arguments: [
    #"{"time":1,"turn":0}"#, #"{"time":1,"turn":0,"kind":"sneezed"}"#,
    #"{"time":1e300,"turn":0,"kind":"ended"}"#, #"{"time":1,"turn":0,"kind":"awake"}"#,
    #"{"time":1,"turn":0,"kind":"word","start":3,"end":2}"#,
    #"{"time":1,"turn":0,"kind":"replyResumed","reason":"moon"}"#,
    #"{"time":1,"turn":0,"kind":"voiceFailed","error":"moon"}"#,
    #"{"time":1,"turn":0,"kind":"timings","timings":{"endOfTurn":1e99}}"#,
  ])
  func `JSON that is not an event is refused`(line: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(VoiceLoopEvent.self, from: Data(line.utf8))
    }
  }

  @Test func `damaged JSON is read or refused`() throws {
    let lines = Self.kinds.map { VoiceLoopEvent(time: .seconds(1), turn: 1, kind: $0.0).line }
    let reply = RecordedReply(
      question: "q", pieces: [.init(after: .seconds(1), .uninterruptible("u"))],
      outcome: .failed("f"))
    let others = [
      try JSONEncoder().encode(reply), try JSONEncoder().encode(ConversationSettings()),
    ].map { String(decoding: $0, as: UTF8.self) }
    var hostile = HostileBytes.json(lines + others + others, seed: 5)
    let decoder = JSONDecoder()
    for _ in 0..<Endurance.count(full: 2_000, short: 200) {
      let data = Data(hostile.next())
      if let event = try? decoder.decode(VoiceLoopEvent.self, from: data) {
        #expect(!event.line.isEmpty)
      }
      if let reply = try? decoder.decode(RecordedReply.self, from: data) {
        #expect(reply.end >= .zero)
      }
      if let settings = try? decoder.decode(ConversationSettings.self, from: data) {
        #expect(settings.rules.maximumTurn >= .zero)
      }
    }
  }
}
