import Foundation
import SpeechConcurrency

/// A program that ran to its end, with everything it wrote.
public struct FinishedProgram: Sendable {
  /// The exit status.
  public let status: Int32
  /// The bytes that it wrote to standard output.
  public let output: Data
  /// The bytes that it wrote to standard error.
  public let errors: Data

  /// Standard output as text.
  public var text: String { String(decoding: output, as: UTF8.self) }

  /// Standard error as text.
  public var errorText: String { String(decoding: errors, as: UTF8.self) }

  /// Runs the program on threads of its own.
  ///
  /// - Parameters:
  ///   - program: The path of the program, or a name that is looked up in `PATH`.
  ///   - input: The file that becomes standard input. The default is empty input.
  public init(
    running program: String, _ arguments: [String] = [], input: URL? = nil,
    environment: [String: String]? = nil
  ) async throws {
    self = try await onOwnThread {
      try FinishedProgram(program, arguments, input, environment)
    }
  }

  private init(
    _ program: String, _ arguments: [String], _ input: URL?, _ environment: [String: String]?
  ) throws {
    let process = Process()
    let isPath = program.hasPrefix("/")
    process.executableURL = URL(filePath: isPath ? program : "/usr/bin/env")
    process.arguments = (isPath ? [] : [program]) + arguments
    if let environment { process.environment = environment }
    process.standardInput = try input.map(FileHandle.init(forReadingFrom:)) ?? .nullDevice
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Two threads, because a program blocks when either of its pipes is full.
    let errorBytes = Guarded(Data())
    let hasEnded = DispatchSemaphore(value: 0)
    let errorReader = errors.fileHandleForReading
    Thread.detachNewThread {
      let bytes = (try? errorReader.readToEnd()) ?? Data()
      errorBytes.withLock { $0 = bytes }
      hasEnded.signal()
    }
    self.output = try output.fileHandleForReading.readToEnd() ?? Data()
    hasEnded.wait()
    self.errors = errorBytes.withLock { $0 }
    process.waitUntilExit()
    status = process.terminationStatus
  }
}
