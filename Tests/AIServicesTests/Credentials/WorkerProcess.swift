import Foundation
import SpeechConcurrency
import Testing

/// A process that a test talks with, line by line.
final class WorkerProcess: Sendable {
  private let process: Guarded<Process>
  private let input = Pipe()
  private let output = Pipe()
  private let ending: AsyncStream<Void>

  /// Beside the tests, where the package manager puts all that it builds.
  static let credentialWorker = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "CredentialWorker").path

  init(
    _ arguments: [String], of program: String = credentialWorker,
    environment: [String: String]? = nil
  ) throws {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    if let environment { process.environment = environment }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let (ending, end) = AsyncStream.makeStream(of: Void.self)
    self.ending = ending
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    // Else our own end would keep the pipe open for ever.
    try? output.fileHandleForWriting.close()
    self.process = Guarded(process)
  }

  deinit {
    if process.withLock({ $0.isRunning }) { send(SIGKILL) }
  }

  /// The next line that it says; `nil` when it says no more.
  func line() async -> String? {
    let handle = output.fileHandleForReading
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var line = Data()
        while true {
          guard let byte = (try? handle.read(upToCount: 1))?.first else {
            return continuation.resume(
              returning: line.isEmpty ? nil : String(decoding: line, as: UTF8.self))
          }
          if byte == UInt8(ascii: "\n") { break }
          line.append(byte)
        }
        continuation.resume(returning: String(decoding: line, as: UTF8.self))
      }
    }
  }

  /// Passes over all that it says until something contains that.
  func lines(until text: String) async throws {
    while try !#require(await line()).contains(text) {}
  }

  /// Says a line to it.
  func tell(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// What it answers to a line.
  func ask(_ question: String) async throws -> String {
    try tell(question)
    return try #require(await line())
  }

  func close(saying text: String = "") {
    try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try? input.fileHandleForWriting.close()
  }

  /// Sends it a signal. Most do not arrive: a process inherits what the thread blocks that starts it, and the
  /// threads of tasks block nearly all.
  func send(_ signal: Int32) {
    process.withLock { _ = kill($0.processIdentifier, signal) }
  }

  /// Waits for its end.
  @discardableResult
  func status() async -> Int32 {
    for await _ in ending {}
    return process.withLock { $0.terminationStatus }
  }
}
