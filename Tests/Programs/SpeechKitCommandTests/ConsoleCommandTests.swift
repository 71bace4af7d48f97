#if Cloud
import AIServices
import Foundation
import SpeechKit
import TestSupport
import Testing

@testable import SpeechCommand
@testable import speechkit

@Suite(.serialized)
struct ConsoleCommandTests {
  private func tool(_ arguments: [String], in workshop: Workshop, path: String? = nil) -> Tool {
    var tool = Tool(["console"] + arguments)
    tool.environment = [
      "HOME": workshop.folder.path, "XDG_CONFIG_HOME": workshop.path("config"),
      "XDG_DATA_HOME": workshop.path("data"), "XDG_STATE_HOME": workshop.path("state"),
      "DBUS_SESSION_BUS_ADDRESS": "", "TMPDIR": workshop.folder.path,
    ]
    if let path { tool.environment["PATH"] = path }
    return tool
  }

  private func status(_ address: String) async throws -> Int {
    let url = try #require(URL(string: address))
    return try await CurlTransport.shared.send(HTTPRequest(.get, url)).status
  }

  @Test func `the printed link opens the console once, and Ctrl-C ends it`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let running = try tool([], in: workshop).start()
    let link = await running.readLine()
    #expect(link.hasPrefix("http://127.0.0.1:"))
    #expect(try await status(link) == 200)
    #expect(try await status(link) == 403)
    // The port is taken.
    let port = try #require(URL(string: link)?.port)
    let second = try await tool(["--port", "\(port)"], in: workshop).run()
    #expect(second.status == ExitStatus.unavailable.rawValue)
    #expect(second.errors.contains("--port"))
    running.send(SIGINT)
    let outcome = await running.outcome()
    #expect(outcome.status == 130)
  }

  @Test func `the browser is given a file that only the user may read`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let bin = workshop.folder.appending(path: "bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    try ShellScript.write(
      "stat -c %a \"$1\" > \"$HOME/mode\"; cat \"$1\" > \"$HOME/page\"",
      to: bin.appending(path: "xdg-open"))
    let pipe = workshop.path("page")
    #expect(mkfifo(pipe, 0o600) == 0)
    let running = try tool(
      ["--open"], in: workshop, path: "\(bin.path):/usr/bin:/bin"
    ).start()
    let link = await running.readLine()
    // The page that the browser reads.
    let page = await onOwnThread {
      let data = try? FileHandle(forReadingFrom: URL(filePath: pipe)).readToEnd()
      return String(decoding: data ?? Data(), as: UTF8.self)
    }
    running.send(SIGTERM)
    let outcome = await running.outcome()
    #expect(outcome.status == 143)
    #expect(page.contains("url=\(link)\""))
    #expect(try String(contentsOfFile: workshop.path("mode"), encoding: .utf8) == "600\n")
    // The file is removed with the console.
    let left = try FileManager.default.contentsOfDirectory(atPath: workshop.folder.path)
    #expect(!left.contains { $0.hasPrefix("speechkit-console") })
  }

  @Test func `a browser that writes messages outlives the program that opens it`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let bin = workshop.folder.appending(path: "bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    try ShellScript.write(
      "(sleep 0.5; echo message; echo message >&2; echo > \"$HOME/alive\") &",
      to: bin.appending(path: "xdg-open"))
    let running = try tool(
      ["--open"], in: workshop, path: "\(bin.path):/usr/bin:/bin"
    ).start()
    _ = await running.readLine()
    let sign = workshop.path("alive")
    for _ in 0..<200 where !FileManager.default.fileExists(atPath: sign) {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(FileManager.default.fileExists(atPath: sign))
    running.send(SIGTERM)
    _ = await running.outcome()
  }
}
#endif
