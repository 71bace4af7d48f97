import AIServiceTesting
import Foundation
import ServiceCredentials
import ServiceTransport
import SpeechFiles
import Testing

@testable import ServiceDownloads

struct FileInstallerTests {
  private let bench: DownloadBench

  init() throws { bench = try DownloadBench() }

  @Test func `a file is downloaded, checked and installed`() async throws {
    #expect(try await bench.add() == .installed(path: bench.place.path))
    try bench.expectInstalled()
    let counts = bench.progress.withLock { $0 }
    #expect(counts == counts.sorted())
    #expect(counts.last == bench.content.count)
  }

  @Test func `a file that is there is not requested again`() async throws {
    _ = try await bench.add()
    #expect(try await bench.add() == .present(path: bench.place.path))
    #expect(bench.server.requests.count == 1)
    try bench.expectInstalled()
  }

  @Test func `another file in its place stays`() async throws {
    try FileManager.default.createDirectory(at: bench.folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: bench.place)
    let error = await DownloadError.of { try await bench.add() }
    #expect(error == .occupied(path: bench.place.path, name: "bench:small"))
    #expect(try Data(contentsOf: bench.place) == Data("mine".utf8))
    #expect(bench.names == ["ggml-small.bin"])
    #expect(bench.server.requests.isEmpty)
  }

  @Test func `a body that ends early is resumed where it ended`() async throws {
    let cut = ScriptedReply.fixed(body: bench.content).cut(after: 100_000)
    bench.server.enqueue(cut, for: DownloadBench.path)
    _ = try await bench.add()
    try bench.expectInstalled()
    let start =
      bench.content.count
      - (100_000
        - ScriptedReply.head(
          200, ["Content-Length": "\(bench.content.count)"]
        ).count)
    #expect(bench.ranges == ["", "bytes=\(bench.content.count - start)-"])
  }

  @Test func `what was transferred is kept, and used by the next attempt`() async throws {
    bench.server.enqueue(
      .fixed(body: bench.content).cut(after: 100_000), .closed, for: DownloadBench.path)
    let error = await DownloadError.of { try await bench.add() }
    let kept = try #require(bench.kept)
    guard case .incomplete("ggml-small.bin", kept.count, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(kept == bench.content.prefix(kept.count))
    #expect(!bench.names.contains("ggml-small.bin"))
    _ = try await bench.add()
    try bench.expectInstalled()
    #expect(bench.ranges.last == "bytes=\(kept.count)-")
  }

  @Test(arguments: ["bytes 5-249999/250000", "nonsense", nil])
  func `a reply that does not resume where the file ends is not joined to it`(
    range: String?
  ) async throws {
    let headers: HTTPHeaders = range.map { ["Content-Range": $0] } ?? [:]
    bench.server.enqueue(
      .fixed(body: bench.content).cut(after: 100_000),
      .fixed(206, headers: headers, body: bench.content.dropFirst(5)), for: DownloadBench.path)
    _ = try await bench.add()
    try bench.expectInstalled()
    #expect(bench.ranges.last == "")
  }

  @Test func `a server that ignores the range sends the file from its beginning`() async throws {
    let content = bench.content
    bench.server.enqueue(.fixed(body: content).cut(after: 100_000), for: DownloadBench.path)
    bench.server.reply(to: DownloadBench.path) { _ in .fixed(body: content) }
    _ = try await bench.add()
    try bench.expectInstalled()
  }

  /// Transfers a beginning of a file that has that tag.
  private func begin(_ content: Data, tag: String) async {
    bench.server.enqueue(
      .fixed(headers: ["ETag": tag], body: content).cut(after: 100_000), .closed,
      for: DownloadBench.path)
    let error = await DownloadError.of { try await bench.add() }
    guard case .incomplete = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  private var conditions: [String?] { bench.server.requests.map { $0.headers["If-Range"] } }

  @Test(arguments: [true, false])
  func `the beginning of another version is not joined to the file`(
    knowsConditions: Bool
  ) async throws {
    let content = bench.content
    await begin(Data(content.map { ~$0 }), tag: "\"one\"")
    bench.server.reply(to: DownloadBench.path) { request in
      if request.headers["If-Range"] != nil, knowsConditions {
        return .fixed(headers: ["ETag": "\"two\""], body: content)
      }
      var reply = ScriptedReply.file(content, for: request)
      guard let start = Int(request.headers["Range"]?.dropFirst(6).prefix { $0 != "-" } ?? "")
      else { return reply }
      reply = .fixed(
        206,
        headers: [
          "Content-Range": "bytes \(start)-\(content.count - 1)/\(content.count)",
          "ETag": "\"two\"",
        ], body: content.dropFirst(start))
      return reply
    }
    _ = try await bench.add()
    try bench.expectInstalled()
    #expect(conditions.contains("\"one\""))
    #expect(bench.server.requests.count == (knowsConditions ? 3 : 4))
  }

  @Test func `the same version is resumed, and only its own server is asked for it`() async throws {
    let content = bench.content
    await begin(content, tag: "\"one\"")
    let kept = try #require(bench.kept).count
    let mirror = try #require(FileSource(bench.server.url("/mirror").absoluteString))
    bench.server.reply(to: "/mirror/ggml-small.bin") { _ in .closed }
    _ = await DownloadError.of { try await bench.add(from: mirror) }
    #expect(bench.kept?.count == kept)
    _ = try await bench.add()
    try bench.expectInstalled()
    #expect(conditions == [nil, "\"one\"", nil, "\"one\""])
    #expect(bench.ranges.last == "bytes=\(kept)-")
  }

  @Test(arguments: ["W/\"one\"", "one"])
  func `a tag that does not stand for the bytes is not a condition`(tag: String) async throws {
    await begin(bench.content, tag: tag)
    _ = try await bench.add()
    try bench.expectInstalled()
    #expect(conditions.allSatisfy { $0 == nil })
  }

  @Test func `a part that is longer than the file is dropped`() async throws {
    bench.server.enqueue(
      .fixed(body: bench.content).cut(after: 100_000), .closed, for: DownloadBench.path)
    _ = await DownloadError.of { try await bench.add() }
    let name = try #require(bench.names.first)
    try (bench.content + Data(count: 9)).write(to: bench.folder.appending(path: name))
    _ = try await bench.add()
    try bench.expectInstalled()
  }

  @Test func `a whole part of a killed program is checked without a request`() async throws {
    bench.server.enqueue(
      .fixed(body: bench.content).cut(after: 100_000), .closed, for: DownloadBench.path)
    _ = await DownloadError.of { try await bench.add() }
    let requests = bench.server.requests.count
    let name = try #require(bench.names.first)
    try bench.content.write(to: bench.folder.appending(path: name))
    _ = try await bench.add()
    try bench.expectInstalled()
    #expect(bench.server.requests.count == requests)
  }

  @Test func `another content is refused and leaves nothing behind`() async throws {
    var other = bench.content
    other[123_456] ^= 1
    let wrong = other
    bench.server.reply(to: DownloadBench.path) { _ in .fixed(body: wrong) }
    let error = await DownloadError.of { try await bench.add() }
    #expect(
      error
        == .wrongDigest(
          source: bench.file.address, found: .sha256(Digest.sha256(wrong)),
          expected: bench.file.digest))
    #expect(bench.names.isEmpty)
  }

  @Test func `a digest of the user's own replaces the published one`() async throws {
    let mine = Data("my own model".utf8)
    bench.server.reply(to: DownloadBench.path) { .file(mine, for: $0) }
    _ = try await bench.add(digest: .sha256(Digest.sha256(mine)))
    #expect(try Data(contentsOf: bench.place) == mine)
  }

  @Test func `SHA-1 is checked as well`() async throws {
    var file = bench.file
    file.digest = .sha1(Digest.sha1(bench.content).map { String(format: "%02x", $0) }.joined())
    _ = try await bench.add(file)
    try bench.expectInstalled()
    try FileManager.default.removeItem(at: bench.place)
    file.digest = .sha1("c78c86eb1a8faa21b369bcd33207cc90d64ae9df")
    let error = await DownloadError.of { try await bench.add(file) }
    guard case .wrongDigest = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a mirror has the file under its name`() async throws {
    let mirror = try #require(FileSource(bench.server.url("/mirror").absoluteString))
    let content = bench.content
    bench.server.reply(to: "/mirror/ggml-small.bin") { .file(content, for: $0) }
    _ = try await bench.add(from: mirror)
    try bench.expectInstalled()
  }

  @Test func `a file is removed, and what was transferred of it`() async throws {
    let installer = FileInstaller(transport: CurlTransport())
    _ = try await bench.add()
    try Data("part".utf8).write(
      to: bench.folder.appending(path: ".ggml-small.bin.01234567.download"))
    #expect(try await installer.remove(bench.file, from: bench.folder) == bench.place.path)
    #expect(bench.names.isEmpty)
    #expect(try await installer.remove(bench.file, from: bench.folder) == nil)
  }

  // MARK: Sources on this machine

  @Test func `a folder and a file are copied`() async throws {
    let source = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: source) }
    let file = source.appending(path: "ggml-small.bin")
    try bench.content.write(to: file)
    for path in [source.path, file.path] {
      _ = try await bench.add(from: .local(path))
      try bench.expectInstalled()
      try FileManager.default.removeItem(at: bench.place)
    }
    try Data("another".utf8).write(to: file)
    let error = await DownloadError.of { try await bench.add(from: .local(file.path)) }
    guard case .wrongDigest(file.path, _, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(bench.names.isEmpty)
    #expect(try Data(contentsOf: file) == Data("another".utf8))
    #expect(bench.server.requests.isEmpty)
  }

  @Test func `a source that is no file is refused without waiting for it`() async throws {
    let pipe = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    for path in [pipe, "/nonexistent/model.bin"] {
      let error = await DownloadError.of { try await bench.add(from: .local(path)) }
      guard case .unreadable(path, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(bench.names.isEmpty)
    }
  }

  @Test func `only addresses of HTTP and paths are sources`() {
    #expect(FileSource("ftp://example.com/models") == nil)
    #expect(FileSource("https://") == nil)
    #expect(FileSource("models") == .local("models"))
    #expect(
      URL(string: "https://example.com/a").map { FileSource.mirror($0) }
        == FileSource("https://example.com/a"))
  }

  @Test func `too little space is reported before a request`() async throws {
    var file = bench.file
    file.size = 1 << 60
    let error = await DownloadError.of { try await bench.add(file) }
    guard case .noSpace(bench.folder.path, 1 << 60, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(bench.server.requests.isEmpty)
  }

  @Test func `a missing feature of the processor is reported`() async throws {
    var file = bench.file
    file.processorFeatures = ["flight"]
    let hasFlags = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8).contains("flags")
    let error = await DownloadError.of { try await bench.add(file) }
    #expect(error == (hasFlags ? .unsuitedProcessor(title: "Small", missing: ["flight"]) : nil))
  }
}
