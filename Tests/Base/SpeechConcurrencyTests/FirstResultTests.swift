import SpeechConcurrency
import Testing

struct FirstResultTests {
  @Test func `the first result counts`() async throws {
    let result = FirstResult<Int>()
    #expect(result.isWanted)
    #expect(result.give(.success(1)))
    #expect(!result.give(.success(2)))
    #expect(!result.isWanted)
    let value = try await result.value()
    #expect(value == 1)
  }

  @Test func `a cancelled caller does not wait, and its result is not wanted`() async {
    let result = FirstResult<Int>()
    let waiting = Task { try await result.value() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(!result.give(.success(1)))
  }

  @Test func `a result that races with the wait arrives`() async throws {
    for round in 0..<1_000 {
      let result = FirstResult<Int>()
      let giving = Task { result.give(.success(round)) }
      let value = try await result.value()
      #expect(value == round)
      _ = await giving.value
    }
  }
}
