import AIServiceTesting
import AIServices
import Foundation
import SpeechConcurrency
import TestSupport
import Testing

@testable import SpeechActions

/// The records that programs share.
@Suite(.timeLimit(.minutes(20))) struct ConnectorRecordsTests {
  private final class Place: Sendable {
    let folder = URL.temporaryDirectory.appending(path: "records-\(UUID().uuidString)")
    var file: URL { folder.appending(path: "speechkit/connectors.json") }
    /// With a long timeout, so that a slow disk does not matter.
    func records(_ now: Date = Date()) -> ConnectorRecords {
      ConnectorRecords(file: file, timeout: .seconds(60)) { now }
    }
    var text: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }
    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  private let connector = Connector(id: "a", baseURL: "http://127.0.0.1:1/v1", model: "m")

  private func see(_ records: ConnectorRecords, _ times: [Int], of connector: Connector? = nil)
    async
  {
    for time in times {
      await records.note(connector ?? self.connector) { health in
        health.noteBeginning(after: .milliseconds(time))
        health.noteSuccess(latency: .milliseconds(time * 2), cost: 0.5)
      }
    }
    await records.save()
  }

  @Test func `the next program knows the observed latencies`() async throws {
    let place = Place()
    await see(place.records(), Array(repeating: 100, count: 19) + [900])
    let next = await place.records().health(of: connector)
    #expect(next.slowFirstText == .milliseconds(100))
    #expect(next.successes == 20 && next.lastLatency == .milliseconds(1_800))
    #expect(next.lastFirstText == .milliseconds(900))
    // Costs and errors are not shared.
    #expect(next.cost == 0 && next.lastError == nil)
    let mode =
      try FileManager.default.attributesOfItem(atPath: place.file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(!place.text.contains("127.0.0.1"))
  }

  @Test func `two programs share their observations without loss`() async throws {
    let place = Place()
    let (one, two) = (place.records(), place.records())
    await withTaskGroup(of: Void.self) { group in
      for records in [one, two] {
        group.addTask { for _ in 0..<25 { await self.see(records, [100, 200]) } }
      }
    }
    #expect(await place.records().health(of: connector).successes == 100)
    await see(one, [300])
    #expect(await one.health(of: connector).successes == 101)
    // Costs stay with the program.
    #expect(await one.health(of: connector).cost == 25.5)
  }

  @Test func `a connector with another address has new records`() async throws {
    let place = Place()
    await see(place.records(), [100, 100])
    var other = connector
    other.model = "larger"
    let records = place.records()
    #expect(await records.health(of: other).successes == 0)
    await see(records, [5], of: other)
    let next = place.records()
    #expect(await next.health(of: other).successes == 1)
    #expect(await next.health(of: connector).successes == 0)
  }

  @Test func `old records are removed`() async throws {
    let place = Place()
    await see(place.records(Date(timeIntervalSince1970: 0)), [100])
    let later = place.records(Date(timeIntervalSince1970: 100 * 86_400))
    await see(later, [100], of: Connector(id: "b", kind: .onDevice))
    #expect(await place.records().health(of: connector).successes == 0)
  }

  @Test(
    arguments: [
      "", "no JSON", "{}", #"{"version":2,"connectors":{}}"#,
      #"{"version":1,"connectors":{"a":{"beginnings":[-5,9e99],"successes":-1,"failures":0,"seen":0}}}"#,
    ])
  func `an invalid file is replaced`(text: String) async throws {
    let place = Place()
    try FileManager.default.createDirectory(
      at: place.file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: place.file)
    await see(place.records(), [100])
    #expect(await place.records().health(of: connector).successes == 1)
  }

  @Test func `any file is read without a crash, and a valid one can be written`() throws {
    var book = RecordTable()
    for index in 0..<3 {
      book.change(RecordTable.Key(Connector(id: "c\(index)", model: "m")), at: Date()) {
        $0.noteBeginning(after: .milliseconds(index))
        $0.noteSuccess(latency: .seconds(1), cost: nil)
      }
    }
    let text = String(decoding: try book.encoded(), as: UTF8.self)
    var hostile = HostileBytes.json([text], seed: 31)
    var good = 0
    for _ in 0..<Endurance.count(full: 3_000, short: 300) {
      guard var read = RecordTable(Data(hostile.next())) else { continue }
      good += 1
      read.forgetOld(at: Date())
      let again = RecordTable(try read.encoded())
      if again?.connectors.count != read.connectors.count { Issue.record("lost: \(text)") }
    }
    #expect(good > 0)
  }

  @Test func `unsaved changes are saved with the next ones`() async throws {
    let place = Place()
    let records = ConnectorRecords(file: place.file, timeout: .zero) { Date() }
    await see(records, [100])
    let lock = try FileHandle(
      forUpdating: place.file.deletingLastPathComponent().appending(path: "connectors.lock"))
    try #require(flock(lock.fileDescriptor, LOCK_EX) == 0)
    await see(records, [100])
    #expect(await records.health(of: connector).successes == 2)
    #expect(await place.records().health(of: connector).successes == 1)
    flock(lock.fileDescriptor, LOCK_UN)
    await see(records, [100])
    #expect(await place.records().health(of: connector).successes == 3)
    #expect(await records.health(of: connector).cost == 1.5)
  }

  @Test func `runs continue if the records cannot be saved`() async throws {
    let records = ConnectorRecords(file: URL(filePath: "/dev/null/speechkit/connectors.json"))
    await see(records, [100])
    #expect(await records.health(of: connector).successes == 1)
  }

  @Test func `hedging uses the observations of earlier programs from the first run`()
    async throws
  {
    let place = Place()
    let world = try ActionWorld(records: place.records())
    let a = world.connector("a")
    await see(place.records(), Array(repeating: 250, count: 10), of: a)
    let gate = ReplyGate()
    world.server("a").reply { _ in .late("A", gate) }
    world.server("b").reply { _ in .answer(["B"]) }
    let run = world.run(.plain(.hedged(after: .observed(otherwise: .seconds(30)))))
    for await event in run.events {
      switch event {
      case .started("a"): try await world.clock.advance(toSleeperAfter: .milliseconds(250))
      default: break
      }
    }
    #expect(await run.outcome().answer?.text == "B")
    gate.open()
    // The records are saved for the next program.
    #expect(await place.records().health(of: world.connector("b")).successes == 1)
    #expect(await place.records().health(of: a).lastFirstText == .milliseconds(250))
  }
}
