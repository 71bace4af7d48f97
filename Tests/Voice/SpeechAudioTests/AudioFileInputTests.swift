import Foundation
import SpeechAudio
import Testing

struct AudioFileInputTests {
  /// A pipe without data whose writing end stays open meanwhile.
  private func withSilentPipe(_ body: (Int32, Int32) async throws -> Void) async throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    try await body(ends[0], ends[1])
  }

  @Test func `opening a pipe that stays silent can be cancelled`() async throws {
    try await withSilentPipe { reading, _ in
      let opening = Task { try await AudioFileInput(descriptor: reading).open() }
      opening.cancel()
      await #expect(throws: CancellationError.self) { _ = try await opening.value }
    }
  }

  @Test func `reading from a pipe that falls silent can be cancelled`() async throws {
    try await withSilentPipe { reading, writing in
      let file = try AudioFile.encode(.silence(.milliseconds(100), format: .recognition))
      // A header that states more than follows.
      var bytes = Array(file)
      for index in 40..<44 { bytes[index] = 0x7F }
      #expect(write(writing, bytes, bytes.count) == bytes.count)
      let capture = try await AudioFileInput(descriptor: reading).open()
      let (heard, tell) = AsyncStream.makeStream(of: Void.self)
      let listening = Task {
        while try await capture.read() != nil { tell.yield() }
      }
      for await _ in heard { break }
      listening.cancel()
      await #expect(throws: CancellationError.self) { try await listening.value }
    }
  }
}
