import AIServiceTesting
import Foundation
import Testing

@testable import SpeechActions

/// The list of recent runs that programs share.
struct RunHistoryTests {
  private final class Place: Sendable {
    let folder = URL.temporaryDirectory.appending(path: "runs-\(UUID().uuidString)")
    var file: URL { folder.appending(path: "speechkit/runs.json") }
    var text: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }
    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  private func run(_ number: Int) -> RunRecord {
    RunRecord(
      id: "\(number)", action: "a", actionName: "A", text: "text \(number)",
      date: Date(timeIntervalSince1970: Double(number)), milliseconds: 1, isCostEstimated: false,
      answered: ["here"])
  }

  private func add(_ numbers: some Sequence<Int>, to history: RunHistory) async {
    for number in numbers {
      await history.note(run(number))
      await history.save()
    }
  }

  @Test func `runs of all programs are listed, the latest first, in a private file`() async throws {
    let place = Place()
    let (one, two) = (RunHistory(file: place.file), RunHistory(file: place.file))
    await add([1, 3], to: one)
    await add([2, 4], to: two)
    for history in [one, two, RunHistory(file: place.file)] {
      #expect(await history.runs().map(\.id) == ["4", "3", "2", "1"])
    }
    let mode =
      try FileManager.default.attributesOfItem(atPath: place.file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `the list has a limit`() async {
    let place = Place()
    await add(0..<50, to: RunHistory(file: place.file))
    let runs = await RunHistory(file: place.file).runs()
    #expect(runs.map(\.id) == (30..<50).reversed().map(String.init))
  }

  @Test(arguments: ["", "{", #"{"version":2,"runs":[]}"#])
  func `an invalid file counts as empty and is replaced`(text: String) async throws {
    let place = Place()
    try FileManager.default.createDirectory(
      at: place.file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: place.file)
    let history = RunHistory(file: place.file)
    #expect(await history.runs().isEmpty)
    await add([1], to: history)
    #expect(await RunHistory(file: place.file).runs().map(\.id) == ["1"])
  }

  @Test func `a folder that cannot be written leaves the list in memory`() async {
    let history = RunHistory(file: URL(filePath: "/proc/nothing/runs.json"))
    await add([1], to: history)
    #expect(await history.runs().map(\.id) == ["1"])
  }

  @Test func `a run is listed with its outcome, and without private text`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").reply { _ in .answer(["A"]) }
    let answered = world.run(.plain())
    _ = await answered.outcome()
    let refused = world.run(.plain(privacy: .thisMachine), on: "secret", connectors: [])
    let error = try #require(await refused.outcome().error)
    let runs = await world.runner.history.runs()
    let first = try #require(runs.first { $0.id == answered.id })
    #expect(first.answered == ["a"] && first.text == "Guten Tag" && first.error == nil)
    let second = try #require(runs.first { $0.id == refused.id })
    #expect(second.answered.isEmpty && second.text.isEmpty)
    #expect(second.error == error.localizedDescription)
  }
}
