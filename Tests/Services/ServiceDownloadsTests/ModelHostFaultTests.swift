import AIServiceTesting
import Foundation
import ServiceTransport
import SpeechConcurrency
import SpeechFiles
import Testing

@testable import ServiceDownloads

/// Servers that refuse, redirect, stall and overload, and transfers that are interrupted.
struct ModelHostFaultTests {
  private let bench: DownloadBench

  init() throws { bench = try DownloadBench() }

  private func message(_ body: () async throws -> Any) async -> String {
    guard case .unavailable(let text) = await DownloadError.of(body) else { return "" }
    return text
  }

  @Test(arguments: [401, 403, 404, 500]) func `a refusal is reported`(status: Int) async throws {
    bench.server.reply(to: DownloadBench.path) { _ in .text("no", status: status) }
    let message = await message { try await bench.add() }
    #expect(message.contains("\(status)"), "\(message)")
    #expect(message.contains("--from"))
    #expect(bench.names.isEmpty)
    #expect(bench.server.requests.count == 1)
  }

  @Test(arguments: [429, 503])
  func `a server that asks to wait is asked again`(status: Int) async throws {
    bench.server.enqueue(
      .text("slowly", status: status, headers: ["Retry-After": "0"]), for: DownloadBench.path)
    _ = try await bench.add()
    try bench.expectInstalled()
  }

  @Test func `a long wait is reported instead`() async throws {
    bench.server.reply(to: DownloadBench.path) { _ in
      .text("slowly", status: 429, headers: ["Retry-After": "3600"])
    }
    let long = await message { try await bench.add() }
    #expect(long.contains("3600 seconds"), "\(long)")
    bench.server.reply(to: DownloadBench.path) { _ in .text("slowly", status: 429) }
    let unstated = await message { try await bench.add() }
    #expect(unstated.contains("overloaded"), "\(unstated)")
    #expect(bench.server.requests.count == 2)
  }

  @Test func `a server that always asks to wait is abandoned`() async throws {
    bench.server.reply(to: DownloadBench.path) { _ in
      .text("slowly", status: 503, headers: ["Retry-After": "0"])
    }
    #expect(await message { try await bench.add() }.contains("does not send"))
    #expect(bench.server.requests.count == 5)
  }

  @Test func `redirects are followed with the range`() async throws {
    let content = bench.content
    let other = try LoopbackServer()
    defer { other.stop() }
    other.reply(to: "/cdn") { .file(content, for: $0) }
    let cut = ScriptedReply.fixed(body: content).cut(after: 100_000)
    other.enqueue(cut, for: "/cdn")
    let address = other.url("/cdn")
    bench.server.reply(to: DownloadBench.path) { _ in
      .fixed(302, headers: ["Location": "/models/elsewhere"])
    }
    bench.server.reply(to: "/models/elsewhere") { _ in .redirect(to: address, status: 307) }
    _ = try await bench.add()
    try bench.expectInstalled()
    #expect(other.requests.count == 2)
    #expect(other.requests.last?.headers["Range"]?.hasPrefix("bytes=") == true)
    #expect(other.requests.allSatisfy { $0.headers["Authorization"] == nil })
  }

  @Test func `redirects in a circle end`() async throws {
    bench.server.reply(to: DownloadBench.path) { _ in
      .fixed(301, headers: ["Location": DownloadBench.path])
    }
    #expect(await message { try await bench.add() }.contains("without end"))
    #expect(bench.server.requests.count == 6)
  }

  @Test(arguments: [
    "http://127.0.0.1:1/model", "file:///etc/passwd", "https://user:secret@127.0.0.1:1/model",
  ])
  func `a redirect to something unsafe is not followed`(location: String) async throws {
    var file = bench.file
    file.address = "https://models.example.com/ggml-small.bin"
    let transport = RedirectingTransport(location: location)
    let error = await DownloadError.of {
      try await bench.add(file, with: FileInstaller(transport: transport))
    }
    #expect(error == .unsafeRedirect(location))
    #expect(error?.errorDescription?.contains("secret") == false)
    #expect(transport.count.withLock { $0 } == 1)
  }

  @Test func `a server that stalls is reported, and the beginning is kept`() async throws {
    let content = bench.content
    let size = content.count
    bench.server.reply(to: DownloadBench.path) { request in
      guard let range = request.headers["Range"] else {
        return .fixed(body: content).cut(after: 100_000, .stall)
      }
      // Only the head of the answer to the second request arrives.
      let headers: HTTPHeaders = [
        "Content-Range": "bytes \(range.dropFirst(6))\(size - 1)/\(size)", "Content-Length": "9",
      ]
      return ScriptedReply(raw: [.bytes(ScriptedReply.head(206, headers)), .stall])
    }
    let timeouts = HTTPTimeouts(idle: .seconds(1), total: nil)
    let installer = FileInstaller(transport: CurlTransport(), timeouts: timeouts)
    let error = await DownloadError.of { try await bench.add(with: installer) }
    guard case .incomplete(_, let kept, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(bench.kept == content.prefix(kept))
    bench.server.reply(to: DownloadBench.path) { .file(content, for: $0) }
    _ = try await bench.add()
    try bench.expectInstalled()
  }

  @Test func `a server that is not there is reported`() async throws {
    bench.server.stop()
    #expect(!(await message { try await bench.add() }).isEmpty)
    #expect(bench.names.isEmpty)
  }

  @Test func `nothing is requested while the network is switched off`() async throws {
    let installer = FileInstaller(transport: CurlTransport(offline: OfflineMode(isOn: true)))
    let message = await message { try await bench.add(with: installer) }
    #expect(message.contains("SPEECHKIT_OFFLINE"), "\(message)")
    #expect(bench.server.acceptedConnections == 0)
  }

  @Test func `a body without end is cut off`() async throws {
    bench.server.reply(to: DownloadBench.path) { _ in
      .chunked([.endless(Data(count: 1 << 20))])
    }
    #expect(await message { try await bench.add() }.contains("exceeds the limit"))
    #expect(bench.names.isEmpty)
  }

  @Test func `two installations of a file exclude each other`() async throws {
    let gate = ReplyGate()
    let reply = ScriptedReply.fixed(body: bench.content)
    bench.server.enqueue(reply.delayed(until: gate), for: DownloadBench.path)
    async let first = bench.add()
    try await gate.reached()
    let error = await DownloadError.of { try await bench.add() }
    #expect(error == .inUse(path: bench.place.path))
    gate.open()
    #expect(try await first == .installed(path: bench.place.path))
    try bench.expectInstalled()
  }

  @Test(arguments: [true, false])
  func `a file is not removed while it is installed`(isPublished: Bool) async throws {
    let gate = ReplyGate()
    let reply = ScriptedReply.fixed(body: bench.content)
    bench.server.enqueue(reply.delayed(until: gate), for: DownloadBench.path)
    var file = bench.file
    // As if another program installed a file of the user's own under the name.
    if !isPublished { file.digest = .sha256(String(repeating: "0", count: 64)) }
    async let installation = bench.add()
    try await gate.reached()
    let installer = FileInstaller(transport: CurlTransport())
    let error = await DownloadError.of {
      try await installer.remove(file, from: bench.folder) as Any
    }
    #expect(error == .inUse(path: bench.place.path))
    gate.open()
    #expect(try await installation == .installed(path: bench.place.path))
    try bench.expectInstalled()
    #expect(try await installer.remove(file, from: bench.folder) == bench.place.path)
    #expect(bench.names.isEmpty)
  }

  @Test func `a cancelled installation is resumed`() async throws {
    let bench = bench
    let reply = ScriptedReply.fixed(body: bench.content).cut(after: 100_000, .stall)
    bench.server.enqueue(reply, for: DownloadBench.path)
    let arrived = ChangeSignal()
    let work = Task {
      try await FileInstaller(transport: CurlTransport()).add(
        bench.file, to: bench.folder
      ) { count, _ in
        bench.progress.withLock { $0.append(count) }
        arrived.notify()
      }
    }
    try await arrived.wait(until: { bench.progress.withLock { !$0.isEmpty } })
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
    let kept = try #require(bench.kept)
    #expect(!kept.isEmpty)
    _ = try await bench.add()
    try bench.expectInstalled()
    #expect(bench.ranges.last == "bytes=\(kept.count)-")
  }
}

/// A transport that answers every request with a redirect.
private struct RedirectingTransport: HTTPTransport {
  let location: String
  let count = Guarded(0)

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    count.withLock { $0 += 1 }
    return HTTPResponse(
      status: 302, headers: ["Location": location], body: HTTPBody(Data()))
  }
}
