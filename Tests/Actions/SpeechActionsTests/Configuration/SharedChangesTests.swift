import Foundation
import SpeechConcurrency
import Testing

@testable import SpeechActions

@Suite(.timeLimit(.minutes(20))) struct SharedChangesTests {
  /// A file of numbers that somebody else keeps busy, and how often it was written.
  private final class Place: Sendable {
    let folder = URL.temporaryDirectory.appending(path: "changes-\(UUID().uuidString)")
    let writes = Guarded(0)
    let changes: SharedChanges<[Int]>
    private let lock: FileHandle

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let lockFile = folder.appending(path: "lock")
      try Data().write(to: lockFile)
      lock = try FileHandle(forUpdating: lockFile)
      try #require(flock(lock.fileDescriptor, LOCK_EX) == 0)
      let writes = writes
      changes = SharedChanges(
        SharedFile(folder.appending(path: "numbers"), lockName: "lock"),
        decode: { data in try data.map { try JSONDecoder().decode([Int].self, from: $0) } ?? [] },
        encode: { numbers in
          writes.withLock { $0 += 1 }
          return try JSONEncoder().encode(numbers)
        })
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func release() { flock(lock.fileDescriptor, LOCK_UN) }

    func numbers() async throws -> [Int] { try await changes.change { $0 } }

    func waiting(_ count: Int) async {
      while changes.waitingCount != count { await Task.yield() }
    }
  }

  @Test func `what came while the file was busy is written in one step`() async throws {
    let place = try Place()
    let tasks = (0..<100).map { number in
      Task {
        try await place.changes.change { numbers in
          numbers.append(number)
          return numbers.count
        }
      }
    }
    await place.waiting(100)
    place.release()
    var counts: [Int] = []
    for task in tasks { counts.append(try await task.value) }
    #expect(counts.sorted() == Array(1...100))
    #expect(place.writes.withLock { $0 } == 1)
    #expect(try await place.numbers().sorted() == Array(0..<100))
  }

  @Test func `who is cancelled while the file is busy has changed nothing`() async throws {
    let place = try Place()
    let stays = Task { try await place.changes.change { $0.append(1) } }
    let leaves = Task { try await place.changes.change { $0.append(2) } }
    await place.waiting(2)
    leaves.cancel()
    await #expect(throws: CancellationError.self) { try await leaves.value }
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await place.changes.change { $0.append(3) }
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    place.release()
    try await stays.value
    #expect(try await place.numbers() == [1])
  }

  @Test
  func `a file that cannot be read is an error for all who wait, and the next try is a new one`()
    async throws
  {
    let place = try Place()
    let file = place.folder.appending(path: "numbers")
    try Data("nonsense".utf8).write(to: file)
    let tasks = (0..<3).map { number in
      Task { try await place.changes.change { $0.append(number) } }
    }
    await place.waiting(3)
    place.release()
    for task in tasks {
      await #expect(throws: DecodingError.self) { try await task.value }
    }
    try Data("[7]".utf8).write(to: file)
    #expect(try await place.numbers() == [7])
  }
}
