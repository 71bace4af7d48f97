import Testing

@testable import SpeechPortAudio

struct ReplyTests {
  @Test func `the first answer counts`() async throws {
    let reply = Reply<Int>()
    #expect(reply.isWanted)
    #expect(reply.give(.success(1)))
    #expect(!reply.give(.success(2)))
    #expect(!reply.isWanted)
    let answer = try await reply.value()
    #expect(answer == 1)
  }

  @Test func `a cancelled caller does not wait, and its answer is not wanted`() async {
    let reply = Reply<Int>()
    let waiting = Task { try await reply.value() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(!reply.give(.success(1)))
  }

  @Test func `an answer that races with the wait arrives`() async throws {
    for round in 0..<1_000 {
      let reply = Reply<Int>()
      let giving = Task { reply.give(.success(round)) }
      let answer = try await reply.value()
      #expect(answer == round)
      _ = await giving.value
    }
  }
}
