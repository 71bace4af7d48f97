import Foundation
import SpeechConcurrency

/// A process that a test communicates with, line by line.
public final class WorkerProcess: Sendable {
  private let process: Guarded<Process>
  private let input = Pipe()
  private let output = Pipe()
  private let ending: AsyncStream<Void>

  /// A failure of the process rather than of the tested code.
  public struct Failure: Error, CustomStringConvertible {
    /// A description of the failure.
    public let description: String
  }

  /// The program for the tests of services, in the build folder.
  public static let serviceWorker = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "ServiceWorker").path

  /// Starts the process.
  public init(
    _ arguments: [String], of program: String = serviceWorker,
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
    // Otherwise this process would keep the pipe open.
    try? output.fileHandleForWriting.close()
    self.process = Guarded(process)
  }

  deinit {
    if process.withLock({ $0.isRunning }) { send(SIGKILL) }
    // Foundation keeps a process, and its pipes, until it was waited for.
    Thread.detachNewThread { [process] in process.withLock { $0.waitUntilExit() } }
  }

  /// The next line of its output; `nil` at the end.
  public func line() async -> String? {
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

  /// Reads lines up to one that contains a text.
  public func lines(until text: String) async throws {
    while try await !nextLine().contains(text) {}
  }

  /// Writes a line to its input.
  public func tell(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Writes a line and returns the line of the answer.
  public func ask(_ question: String) async throws -> String {
    try tell(question)
    return try await nextLine()
  }

  private func nextLine() async throws -> String {
    guard let line = await line() else {
      throw Failure(description: "The process has ended and says no more.")
    }
    return line
  }

  /// Writes the last text and closes its input.
  public func close(saying text: String = "") {
    try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try? input.fileHandleForWriting.close()
  }

  /// Sends a signal. Most signals are not delivered: a process inherits the blocked signals of the
  /// thread that starts it, and the threads of tasks block nearly all.
  public func send(_ signal: Int32) {
    process.withLock { _ = kill($0.processIdentifier, signal) }
  }

  /// Waits for its end.
  @discardableResult
  public func status() async -> Int32 {
    for await _ in ending {}
    return process.withLock { $0.terminationStatus }
  }
}
