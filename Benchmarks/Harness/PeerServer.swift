import Foundation

/// A server in Python from the tests. It prints its port in its first line, and exits when its
/// input ends.
final class PeerServer {
  let port: Int
  private let process = Process()
  private let input = Pipe()

  /// The Python interpreter with the servers' packages, from `SPEECHKIT_PEERS`.
  ///
  /// - Throws: `SkippedBenchmark` if there is none.
  static func python() throws -> String {
    let path = ProcessInfo.processInfo.environment["SPEECHKIT_PEERS"]
    guard let path, FileManager.default.isExecutableFile(atPath: path) else {
      throw SkippedBenchmark(
        "SPEECHKIT_PEERS names no Python; run Scripts/benchmark, which installs one")
    }
    return path
  }

  /// The path of a server or client.
  static func script(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Tests/Support/Peers/\(name)").path
  }

  init(_ name: String, options: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: try Self.python())
    process.arguments = [Self.script(name), options]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      if byte.isEmpty { break }
      line += byte
    }
    guard case let words = String(decoding: line, as: UTF8.self).split(separator: " "),
      words.count == 2, words[0] == "port", let port = Int(words[1])
    else {
      process.terminate()
      throw ChildProcessError("“\(name)” did not print its port.")
    }
    self.port = port
  }

  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
