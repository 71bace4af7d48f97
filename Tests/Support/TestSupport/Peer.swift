import Foundation
import SpeechConcurrency

/// A server in Python, in a process of its own.
///
/// It reports its port and other events in lines on standard output, takes commands on standard
/// input, and ends when that is closed, also when the tests crash.
package final class Peer: Sendable {
  package let port: Int
  private let process: Guarded<Process>
  private let input: FileHandle
  private let heard = Guarded<[String]>([])
  private let changed: ChangeSignal

  /// Runs the body with a peer, and ends the peer afterwards.
  package static func with<Result>(
    _ script: String, _ arguments: [String] = [],
    isolation: isolated (any Actor)? = #isolation, body: (Peer) async throws -> Result
  ) async throws -> Result {
    let peer = try await start(script, arguments)
    do {
      let result = try await body(peer)
      await peer.stop()
      return result
    } catch {
      await peer.stop()
      throw error
    }
  }

  /// Starts a peer that the caller has to stop.
  package static func start(_ script: String, _ arguments: [String] = []) async throws -> Peer {
    try await onOwnThread { try Peer(script, arguments) }
  }

  private init(_ script: String, _ arguments: [String]) throws {
    let python = try Peers.interpreter
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = [Peers.folder + "/" + script] + arguments
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForReading.close()
    try output.fileHandleForWriting.close()
    self.input = input.fileHandleForWriting
    let reading = output.fileHandleForReading
    let firstLine = Self.readLine(reading.fileDescriptor)
    guard firstLine.hasPrefix("port "), let port = Int(firstLine.dropFirst(5)) else {
      kill(process.processIdentifier, SIGKILL)
      throw PeerFailure(description: "\(script) did not tell its port but “\(firstLine)”.")
    }
    self.port = port
    self.process = Guarded(process)
    changed = ChangeSignal()
    let heard = heard
    let changed = changed
    Thread.detachNewThread {
      while true {
        let line = Self.readLine(reading.fileDescriptor)
        if line.isEmpty { break }
        heard.withLock { $0.append(line) }
        changed.notify()
      }
      try? reading.close()
      heard.withLock { $0.append("end") }
      changed.notify()
    }
  }

  /// Gives the peer a command.
  package func tell(_ command: String) throws {
    try input.write(contentsOf: Data((command + "\n").utf8))
  }

  /// Waits for a line with that beginning, removes it, and returns its remaining words.
  package func report(_ beginning: String) async throws -> String {
    let line = try await changed.wait {
      try heard.withLock { lines throws -> String? in
        if let index = lines.firstIndex(where: { $0.hasPrefix(beginning) }) {
          return lines.remove(at: index)
        }
        guard !lines.contains("end") else {
          throw PeerFailure(description: "The peer ended before it reported “\(beginning)”.")
        }
        return nil
      }
    }
    return line.dropFirst(beginning.count).trimmingCharacters(in: .whitespaces)
  }

  /// The lines so far with that beginning that were not waited for.
  package func reports(beginning: String) -> [String] {
    heard.withLock { $0.filter { $0.hasPrefix(beginning) } }
  }

  /// Suspends the peer: it neither reads nor writes, and its connections stay open.
  package func freeze() {
    process.withLock { _ = kill($0.processIdentifier, SIGSTOP) }
  }

  /// Kills the peer, and returns after its end.
  package func stop() async {
    process.withLock { process in
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    try? input.close()
    // Its output ends with it.
    try? await changed.wait(until: { heard.withLock { $0.contains("end") } })
    await onOwnThread { [process] in process.withLock { $0.waitUntilExit() } }
  }

  private static func readLine(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A failure of a peer rather than of the tested code.
package struct PeerFailure: Error, CustomStringConvertible {
  package var description: String
}

/// The place of the Python peers.
package enum Peers {
  package static let areMissing =
    "The peers in Python are not installed. Scripts/test installs them; without a network, set "
    + "SPEECHKIT_PEERS to a Python that has Tests/Support/Peers/requirements.txt."

  package static let folder = ProjectFolder.root.appending(path: "Tests/Support/Peers").path

  /// The Python with the packages that the peers need.
  package static let python: String? = {
    let inBuild = URL(fileURLWithPath: folder).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent(".build/peers/bin/python").path
    return [ProcessInfo.processInfo.environment["SPEECHKIT_PEERS"], inBuild].compactMap { $0 }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// True if tests with peers run. In continuous integration they always do, and fail if the peers
  /// are missing.
  package static let areExpected = python != nil || ProcessInfo.processInfo.environment["CI"] != nil

  /// The Python of the peers.
  ///
  /// - Throws: `PeerFailure` if they are not installed.
  package static var interpreter: String {
    get throws {
      guard let python else { throw PeerFailure(description: areMissing) }
      return python
    }
  }

  private static var room: URL {
    get throws {
      URL(filePath: try interpreter).deletingLastPathComponent().deletingLastPathComponent()
    }
  }

  /// The folder that holds whisper.cpp's library.
  package static var whisperLibrary: URL {
    get throws {
      let lib = try room.appending(path: "lib")
      let names = try FileManager.default.contentsOfDirectory(atPath: lib.path)
      return lib.appending(path: "\(names.first ?? "")/site-packages")
    }
  }

  /// Whisper's smallest English model.
  package static var whisperModel: URL {
    get throws { try room.appending(path: "whisper/ggml-tiny.en-q8_0.bin") }
  }
}
