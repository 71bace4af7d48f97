import SpeechConcurrency
import Testing

@testable import SpeechPortAudio

struct WaitingLineTests {
  /// The available answers.
  private let stock = Guarded<[Int]>([])
  private let line = WaitingLine<Int, Int>()

  /// The next number that is at least as large as requested.
  private func search(_ least: Int) -> Result<Int, any Error>? {
    stock.withLock { stock in
      guard let index = stock.firstIndex(where: { $0 >= least }) else { return nil }
      return .success(stock.remove(at: index))
    }
  }

  private func bring(_ numbers: Int...) {
    stock.withLock { $0 += numbers }
    line.serve(search)
  }

  @Test func `an available answer is returned at once`() async throws {
    bring(1)
    #expect(try await line.wait(for: 0, search) == 1)
  }

  @Test func `each caller gets the answer to its own request`() async throws {
    let large = Task { try await line.wait(for: 100, search) }
    let small = Task { try await line.wait(for: 0, search) }
    bring(5)
    #expect(try await small.value == 5)
    bring(100)
    #expect(try await large.value == 100)
  }

  @Test func `a cancelled caller consumes no answer`() async throws {
    let cancelled = Task { try await line.wait(for: 0, search) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
    bring(7)
    #expect(try await line.wait(for: 0, search) == 7)
  }

  @Test func `no answer is lost or duplicated while some callers are cancelled`() async {
    let total = 2_000
    let tasks = (0..<total * 2).map { _ in Task { try await line.wait(for: 0, search) } }
    for number in 0..<total {
      bring(number)
      if number.isMultiple(of: 2) { tasks[number].cancel() }
    }
    for task in tasks { task.cancel() }
    var taken: [Int] = []
    for task in tasks { if let number = try? await task.value { taken.append(number) } }
    let left = stock.withLock { $0 }
    #expect((taken + left).sorted() == Array(0..<total))
  }
}
