import AIServices
import Foundation
import Testing

@testable import SpeechActions

/// The answers that programs share.
@Suite(.timeLimit(.minutes(20))) struct AnswerCacheTests {
  private final class Place: Sendable {
    let folder = URL.temporaryDirectory.appending(path: "answers-\(UUID().uuidString)")
    var file: URL { folder.appending(path: "speechkit/answers.json") }
    var text: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }
    func cache(_ limits: AnswerCache.Limits = .init()) -> AnswerCache {
      AnswerCache(file: file, limits: limits)
    }
    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  private let start = Date(timeIntervalSince1970: 1_792_000_000)
  private let connector = Connector(id: "a", baseURL: "http://127.0.0.1:1/v1", model: "m")

  private func key(_ prompt: String) -> AnswerCache.Key {
    AnswerCache.Key(connector, ChatRequest(prompt))
  }

  private func answer(_ text: String, at seconds: Double = 0) -> CachedAnswer {
    CachedAnswer(
      connector: "a", text: text, usage: ServiceUsage(requests: 1, inputTokens: 3),
      date: start + seconds, expiry: start + seconds + 60)
  }

  private func found(
    _ prompt: String, in cache: AnswerCache, after seconds: Double = 1,
    lifetime: Duration = .seconds(60)
  ) async -> CachedAnswer? {
    await cache.answer(for: key(prompt), notOlderThan: lifetime, at: start + seconds)
  }

  @Test func `the next program has the answers, in a private file without the questions`()
    async throws
  {
    let place = Place()
    await place.cache().keep(answer("Vier."), for: key("What is 2 + 2?"), isPrivate: false)
    #expect(await found("What is 2 + 2?", in: place.cache()) == answer("Vier."))
    #expect(await found("What is 2 + 3?", in: place.cache()) == nil)
    let mode =
      try FileManager.default.attributesOfItem(atPath: place.file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(!place.text.contains("What is"))
  }

  @Test func `answers expire, for an action and in the file`() async throws {
    let place = Place()
    let cache = place.cache()
    await cache.keep(answer("old"), for: key("1"), isPrivate: false)
    #expect(await found("1", in: cache, after: 60) != nil)
    #expect(await found("1", in: cache, after: 61) == nil)
    #expect(await found("1", in: cache, after: 11, lifetime: .seconds(10)) == nil)
    #expect(await found("1", in: cache, after: -1) == nil, "the clock was changed")
    await cache.keep(answer("new", at: 100), for: key("2"), isPrivate: false)
    #expect(!place.text.contains("old") && place.text.contains("new"))
    #expect(await cache.answers(at: start + 101).map(\.text) == ["new"])
  }

  @Test func `private answers stay in memory`() async throws {
    let place = Place()
    let cache = place.cache()
    await cache.keep(answer("secret"), for: key("1"), isPrivate: true)
    await cache.keep(answer("other"), for: key("2"), isPrivate: false)
    #expect(await found("1", in: cache)?.text == "secret")
    #expect(await found("1", in: place.cache()) == nil)
    #expect(!place.text.contains("secret") && place.text.contains("other"))
  }

  @Test func `the least recently used answers are removed`() async throws {
    let place = Place()
    let cache = place.cache(.init(entries: 3, bytes: 10_000))
    for number in 0..<3 {
      await cache.keep(
        answer("\(number)", at: Double(number)), for: key("\(number)"), isPrivate: false)
    }
    #expect(await found("0", in: cache, after: 5) != nil)
    await cache.keep(answer("3", at: 6), for: key("3"), isPrivate: false)
    #expect(await found("1", in: cache, after: 7) == nil)
    #expect(await found("0", in: cache, after: 7) != nil)
    await cache.keep(
      answer(String(repeating: "x", count: 9_600), at: 8), for: key("4"), isPrivate: false)
    #expect(await cache.answers(at: start + 9).map(\.text.count) == [9_600])
    await cache.keep(
      answer(String(repeating: "x", count: 20_000), at: 10), for: key("5"), isPrivate: false)
    #expect(await cache.answers(at: start + 11).isEmpty)
  }

  @Test func `two programs keep the answers of both`() async throws {
    let place = Place()
    let (one, two) = (place.cache(), place.cache())
    await one.keep(answer("1"), for: key("1"), isPrivate: false)
    await two.keep(answer("2"), for: key("2"), isPrivate: false)
    #expect(Set(await place.cache().answers(at: start + 1).map(\.text)) == ["1", "2"])
    try await one.removeAll()
    #expect(await place.cache().answers(at: start + 1).isEmpty)
    #expect(await one.answers(at: start + 1).isEmpty)
  }

  @Test(arguments: ["", "{", "[]", #"{"version":2,"answers":{}}"#, #"{"version":1,"answers":[]}"#])
  func `an invalid file counts as empty and is replaced`(text: String) async throws {
    let place = Place()
    try FileManager.default.createDirectory(
      at: place.file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: place.file)
    let cache = place.cache()
    #expect(await cache.answers(at: start).isEmpty)
    await cache.keep(answer("1"), for: key("1"), isPrivate: false)
    #expect(await found("1", in: place.cache())?.text == "1")
  }

  @Test func `a folder that cannot be written leaves the cache in memory`() async throws {
    let cache = AnswerCache(file: URL(filePath: "/proc/nothing/answers.json"))
    await cache.keep(answer("1"), for: key("1"), isPrivate: false)
    #expect(await found("1", in: cache)?.text == "1")
  }

  @Test func `everything that affects the answer distinguishes requests, and tools are not cached`()
  {
    var keys: Set<String> = [key("1").digest]
    var changes: [(connector: Connector, request: ChatRequest)] = []
    for change in [
      { $0.model = "other" }, { $0.baseURL = "http://127.0.0.1:2/v1" }, { $0.headers["X"] = "1" },
      { $0.credential = "other" },
    ] as [(inout Connector) -> Void] {
      var connector = connector
      change(&connector)
      changes.append((connector, ChatRequest("1")))
    }
    for change in [
      { $0.temperature = 1 }, { $0.maxTokens = 1 }, { $0.topP = 0.5 }, { $0.stop = ["x"] },
      { $0.messages.append(.user("2")) }, { $0.responseSchema = [:] }, { $0.extra["a"] = 1 },
    ] as [(inout ChatRequest) -> Void] {
      var request = ChatRequest("1")
      change(&request)
      changes.append((connector, request))
    }
    for (connector, request) in changes {
      keys.insert(AnswerCache.Key(connector, request).digest)
    }
    #expect(keys.count == changes.count + 1)
    var same = ChatRequest("1")
    (same.streams, same.retries) = (false, 3)
    #expect(AnswerCache.Key(connector, same).digest == key("1").digest)
    same.tools = [ChatTool(name: "t", description: "")]
    #expect(AnswerCache.Key(connector, same).digest.isEmpty)
  }
}
