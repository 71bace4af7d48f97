import Foundation
import Synchronization
import TestSupport

@testable import SpeechCommand

/// The built `speechkit`, run as by a script.
struct Tool {
  /// The outcome of a run.
  struct Outcome {
    var status: Int32
    /// The signal that ended it; `nil` if it exited.
    var signal: Int32?
    var output: Data
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
  }

  /// The standard input or output of the tool.
  enum Stream {
    case pipe
    case nothing
    case file(String)
    /// A pipe without a reader.
    case closed
  }

  var arguments: [String]
  var input = Data()
  var output = Stream.pipe
  var folder: URL?
  var environment: [String: String] = [:]
  /// The command that starts the tool; the program and its arguments follow it.
  var launcher: [String] = []

  init(_ arguments: String...) {
    self.arguments = arguments
  }

  init(_ arguments: [String]) {
    self.arguments = arguments
  }

  /// The tool, started by a shell script in which “$@” is the command.
  ///
  /// A shell can close standard input and pass arguments that are not text. The tool is killed
  /// after ten minutes. The address sanitizer does not look for leaks: it could not name the
  /// functions of what it finds where descriptors are closed or few.
  func throughShell(_ script: String) -> Tool {
    var tool = self
    tool.launcher = ["/usr/bin/timeout", "--foreground", "-s", "KILL", "600", "/bin/sh", "-c"]
    tool.launcher += [script, "sh"]
    tool.environment["LSAN_OPTIONS"] = "detect_leaks=0"
    return tool
  }

  /// The tool, started as a user without the superuser's permissions.
  func asNobody() -> Tool {
    guard geteuid() == 0 else { return self }
    var tool = self
    tool.launcher = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    return tool
  }

  /// True if that user can reach the program and the folder for temporary files.
  static var isOpenToNobody: Bool {
    guard geteuid() == 0 else { return true }
    return [executable, FileManager.default.temporaryDirectory].allSatisfy { place in
      var path = place.standardizedFileURL.path
      while path.count > 1 {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o001 != 0 else { return false }
        path = (path as NSString).deletingLastPathComponent
      }
      return true
    }
  }

  /// The program beside the tests, in the build folder.
  static let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "speechkit")

  /// An environment without sound devices.
  static let silentEnvironment = [
    "PULSE_SERVER": "unix:/nonexistent/pulse", "XDG_RUNTIME_DIR": "/nonexistent",
    "PIPEWIRE_REMOTE": "nonexistent",
  ]

  /// Runs the tool to its end.
  func run() async throws -> Outcome {
    let running = try start()
    running.close(writing: input)
    return await running.outcome()
  }

  /// Starts the tool for a test that interacts with it.
  ///
  /// - Parameter input: Its standard input. The default is a pipe.
  func start(input: FileHandle? = nil) throws -> RunningTool {
    let process = Process()
    let command = launcher + [Self.executable.path] + arguments
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(Self.silentEnvironment) { $1 }
      // Without a Whisper that happens to be installed.
      .merging(["SPEECHKIT_WHISPER": "/nonexistent"]) { $1 }
      // Enough to end properly on a machine that runs other tests at the same time.
      .merging(["SPEECHKIT_STOP_TIMEOUT": "5000"]) { $1 }.merging(environment) { $1 }
    return try RunningTool(process, input: input, output: output)
  }
}

/// A running `speechkit`.
final class RunningTool: Sendable {
  private let process: Mutex<Process>
  private let inputPipe = Pipe()
  private let outputPipe = Pipe()
  private let errorPipe = Pipe()
  private let isPiped: Bool
  private let ending: AsyncStream<Void>

  fileprivate init(
    _ process: sending Process, input: FileHandle?, output: Tool.Stream
  ) throws {
    if let input { process.standardInput = input } else { process.standardInput = inputPipe }
    process.standardError = errorPipe
    var isPiped = false
    switch output {
    case .pipe:
      process.standardOutput = outputPipe
      isPiped = true
    case .nothing:
      process.standardOutput = FileHandle.nullDevice
    case .file(let path):
      process.standardOutput = try FileHandle(forWritingTo: URL(filePath: path))
    case .closed:
      try outputPipe.fileHandleForReading.close()
      process.standardOutput = outputPipe
    }
    self.isPiped = isPiped
    let (ending, end) = AsyncStream.makeStream(of: Void.self)
    self.ending = ending
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    // Otherwise this process would keep the pipe open.
    try? outputPipe.fileHandleForWriting.close()
    try? errorPipe.fileHandleForWriting.close()
    self.process = Mutex(process)
  }

  /// Waits for a number of bytes of standard output; returns fewer at its end.
  func read(_ count: Int) async -> Data {
    let handle = outputPipe.fileHandleForReading
    return await onOwnThread { (try? handle.read(upToCount: count)) ?? Data() }
  }

  /// Waits for a number of bytes of standard error; returns fewer at its end. They are not part of
  /// the outcome.
  func readErrors(_ count: Int) async -> String {
    let handle = errorPipe.fileHandleForReading
    let data = await onOwnThread { (try? handle.read(upToCount: count)) ?? Data() }
    return String(decoding: data, as: UTF8.self)
  }

  /// Waits for the first line of standard output.
  func readLine() async -> String {
    var line = Data()
    while let byte = await read(1).first, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// Sends a signal to the tool.
  func send(_ signal: Int32) {
    process.withLock { _ = kill($0.processIdentifier, signal) }
  }

  /// The most memory that the tool has used so far; 0 after its end.
  var peakKibibytes: Int {
    let number = process.withLock { $0.processIdentifier }
    let status = try? String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// True while the tool runs.
  var isRunning: Bool { process.withLock { $0.isRunning } }

  /// Writes to standard input, and waits until nearly all is read: as much as fits in a pipe may be
  /// left.
  func write(_ data: Data) async {
    let handle = inputPipe.fileHandleForWriting
    await onOwnThread { try? handle.write(contentsOf: data) }
  }

  /// Writes to standard input and closes it.
  func close(writing data: Data) {
    let handle = inputPipe.fileHandleForWriting
    // Not waited for, because a tool that ends early reads nothing.
    Thread.detachNewThread {
      try? handle.write(contentsOf: data)
      try? handle.close()
    }
  }

  /// Waits for the end, and reads the rest of the output.
  func outcome() async -> Tool.Outcome {
    let errors = errorPipe.fileHandleForReading
    let output = outputPipe.fileHandleForReading
    async let errorData = onOwnThread { (try? errors.readToEnd()) ?? Data() }
    let outputData =
      isPiped ? await onOwnThread { (try? output.readToEnd()) ?? Data() } : Data()
    for await _ in ending {}
    let (status, reason) = process.withLock { process in
      // Foundation keeps a process, and its pipes, until it was waited for.
      process.waitUntilExit()
      return (process.terminationStatus, process.terminationReason)
    }
    return Tool.Outcome(
      status: status, signal: reason == .uncaughtSignal ? status : nil, output: outputData,
      errors: String(decoding: await errorData, as: UTF8.self))
  }
}

extension Command {
  /// Parses the words after the name of the command.
  static func parse(_ arguments: [String]) throws -> Self {
    try Self(ArgumentParser.parse(arguments, for: declaration))
  }
}
