import Foundation
import SpeechAudio
import SpeechCore
import Testing

struct RecognitionCascadeTests {
  private let sound = PCMBuffer.silence(.milliseconds(300), format: .recognition)
  private let offline = SpeechRecognitionError.recognitionFailed("No network.")

  @Test func `a step that is sure enough is accepted, and the others are skipped`()
    async throws
  {
    let (dictation, cloud) = (
      ReadingDecoder.Configuration(text: "near", confidence: 0.7),
      ReadingDecoder.Configuration(text: "far", confidence: 0.9)
    )
    let cascade = RecognitionCascade([.init(dictation, atLeast: 0.7), .init(cloud)])
    #expect(try await cascade.reading(of: sound)?.text == "near")
    #expect(cloud.log.values.isEmpty)
  }

  @Test func `a step that is not sure enough is followed by the next one`() async throws {
    let (dictation, cloud) = (
      ReadingDecoder.Configuration(text: "near", confidence: 0.6),
      ReadingDecoder.Configuration(text: "far", confidence: 0.3)
    )
    let cascade = RecognitionCascade([.init(dictation, atLeast: 0.7), .init(cloud)])
    #expect(try await cascade.reading(of: sound)?.text == "far")
    #expect(dictation.log.values.last == "finish")
  }

  @Test func `if none is sure enough, the surest reading is returned`() async throws {
    let cascade = RecognitionCascade([
      .init(.init(text: "a", confidence: 0.4), atLeast: 0.7),
      .init(.init(text: "b", confidence: 0.6), atLeast: 0.7),
      .init(.init(text: "c", confidence: 0.5), atLeast: 0.7),
    ])
    #expect(try await cascade.reading(of: sound)?.text == "b")
  }

  @Test func `a step that fails is skipped, and if all fail, the first error is thrown`()
    async throws
  {
    let broken = RecognitionCascade.Step(.init(error: offline))
    let cascade = RecognitionCascade([broken, .init(.init(text: "here"))])
    #expect(try await cascade.reading(of: sound)?.text == "here")
    let unsure = RecognitionCascade([.init(.init(text: "here"), atLeast: 0.9), broken])
    #expect(try await unsure.reading(of: sound)?.text == "here")
    await #expect(throws: offline) {
      _ = try await RecognitionCascade([broken, .init(.init(text: ""))]).reading(of: sound)
    }
  }

  @Test func `a reading has the words before its own utterance only`() async throws {
    let dictation = ReadingDecoder.Configuration()
    let cascade = RecognitionCascade([.init(dictation)])
    for context in ["", "coffee or tea?", "", ""] {
      _ = try await cascade.reading(of: sound, after: context)
    }
    #expect(
      dictation.log.values.filter { $0.hasPrefix("after") }
        == ["after “coffee or tea?”", "after “”", "after “”"])
  }

  @Test func `there is no reading without words or without steps`() async throws {
    #expect(try await RecognitionCascade([.init(.init(text: ""))]).reading(of: sound) == nil)
    #expect(try await RecognitionCascade([]).reading(of: sound) == nil)
    let utterance = RejectedUtterance(
      audio: sound, start: 0, nearest: SpeechRecognitionResult(text: "", isFinal: true))
    #expect(try await utterance.reading() == nil)
  }

  @Test func `a waiting decoder gets one utterance at a time and is loaded once`() async throws {
    let waiting = Gate()
    let configuration = ReadingDecoder.Configuration(beforeFinish: { await waiting.pass() })
    let cascade = RecognitionCascade([.init(configuration)])
    let sound = sound
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<5 { group.addTask { try await cascade.reading(of: sound)?.text } }
      waiting.open()
      for try await text in group { #expect(text == "what was said") }
    }
    let turn = ["start", "hear 8000", "finish"]
    #expect(configuration.log.values == ["load"] + Array(repeating: turn, count: 5).joined())
  }

  @Test func `a cancelled request returns no reading`() async throws {
    let asked = Gate()
    let answered = Gate()
    let configuration = ReadingDecoder.Configuration(beforeFinish: {
      asked.open()
      await answered.pass()
      try Task.checkCancellation()
    })
    let later = ReadingDecoder.Configuration()
    let cascade = RecognitionCascade([.init(configuration), .init(later)])
    let sound = sound
    let asking = Task { try await cascade.reading(of: sound) }
    await asked.pass()
    asking.cancel()
    answered.open()
    await #expect(throws: CancellationError.self) { try await asking.value }
    #expect(later.log.values.isEmpty)
  }
}
