import Foundation

/// A server of the tests, in Python: it tells its port in its first line, and ends when its input does.
final class PeerServer {
  let port: Int
  private let process = Process()
  private let input = Pipe()

  /// The Python that has what the servers need: the one in `SPEECHKIT_PEERS`.
  ///
  /// - Throws: `SkippedBenchmark` without one.
  static func python() throws -> String {
    let path = ProcessInfo.processInfo.environment["SPEECHKIT_PEERS"]
    guard let path, FileManager.default.isExecutableFile(atPath: path) else {
      throw SkippedBenchmark("SPEECHKIT_PEERS names no Python; Scripts/benchmark installs one")
    }
    return path
  }

  /// Where the servers and clients are.
  static func script(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Tests/Support/Peers/\(name)").path
  }

  init(_ name: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: try Self.python())
    process.arguments = [Self.script(name)]
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
      throw ChildProcessError("“\(name)” did not tell its port.")
    }
    self.port = port
  }

  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
