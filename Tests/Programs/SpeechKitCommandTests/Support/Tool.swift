import Foundation
import Synchronization
import TestSupport

/// The built `speechkit`, as a script would run it.
struct Tool {
  /// How a run ended.
  struct Outcome {
    var status: Int32
    /// The signal that killed it, if one did.
    var signal: Int32?
    var output: Data
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
  }

  /// What the tool's standard input and output are.
  enum Stream {
    case pipe
    case nothing
    case file(String)
    /// A pipe that nobody reads.
    case closed
  }

  var arguments: [String]
  var input = Data()
  var output = Stream.pipe
  var folder: URL?
  var environment: [String: String] = [:]
  /// The command that starts it, with all but the program and its arguments.
  var launcher: [String] = []

  init(_ arguments: String...) {
    self.arguments = arguments
  }

  init(_ arguments: [String]) {
    self.arguments = arguments
  }

  /// It, started by a shell, which does what a program cannot ask of the system: close its standard input,
  /// or give it an argument that is no text. In the script “$@” is the command. It is killed after ten minutes.
  func throughShell(_ script: String) -> Tool {
    var tool = self
    tool.launcher = ["/usr/bin/timeout", "--foreground", "-s", "KILL", "600", "/bin/sh", "-c"]
    tool.launcher += [script, "sh"]
    return tool
  }

  /// It, started by somebody who is not the superuser, to whom nothing is forbidden.
  func asNobody() -> Tool {
    guard geteuid() == 0 else { return self }
    var tool = self
    tool.launcher = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    return tool
  }

  /// Whether such a one gets to the program and to what the tests make.
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

  /// Beside the tests, where the package manager puts all that it builds.
  static let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "speechkit")

  /// AcousticScene without any sound device.
  static let silentEnvironment = [
    "PULSE_SERVER": "unix:/nonexistent/pulse", "XDG_RUNTIME_DIR": "/nonexistent",
    "PIPEWIRE_REMOTE": "nonexistent",
  ]

  /// Runs it to its end.
  func run() async throws -> Outcome {
    let running = try start()
    running.close(writing: input)
    return await running.outcome()
  }

  /// Starts it, for those who want to talk with it on its way.
  ///
  /// - Parameter input: its standard input; a pipe unless given.
  func start(input: FileHandle? = nil) throws -> RunningTool {
    let process = Process()
    let command = launcher + [Self.executable.path] + arguments
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(Self.silentEnvironment) { $1 }.merging(environment) { $1 }
    return try RunningTool(process, input: input, output: output)
  }
}

/// A `speechkit` that is at work.
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
    // Else our own end would keep the pipe open for ever.
    try? outputPipe.fileHandleForWriting.close()
    try? errorPipe.fileHandleForWriting.close()
    self.process = Mutex(process)
  }

  /// Waits for so much of standard output; less when it ends before.
  func read(_ count: Int) async -> Data {
    let handle = outputPipe.fileHandleForReading
    return await onOwnThread { (try? handle.read(upToCount: count)) ?? Data() }
  }

  /// Waits for so much of standard error; less when it ends before. It is not part of the outcome's.
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

  /// Sends it a signal.
  func send(_ signal: Int32) {
    process.withLock { _ = kill($0.processIdentifier, signal) }
  }

  /// Whether it has not ended.
  var isRunning: Bool { process.withLock { $0.isRunning } }

  /// Gives it that input and waits until it has taken nearly all: what fits into a pipe may be left.
  func write(_ data: Data) async {
    let handle = inputPipe.fileHandleForWriting
    await onOwnThread { try? handle.write(contentsOf: data) }
  }

  /// Gives it that input and its end.
  func close(writing data: Data) {
    let handle = inputPipe.fileHandleForWriting
    // Not waited for: a tool that ends early reads nothing.
    Thread.detachNewThread {
      try? handle.write(contentsOf: data)
      try? handle.close()
    }
  }

  /// Waits for its end, and takes the rest of what it wrote.
  func outcome() async -> Tool.Outcome {
    let errors = errorPipe.fileHandleForReading
    let output = outputPipe.fileHandleForReading
    async let errorData = onOwnThread { (try? errors.readToEnd()) ?? Data() }
    let outputData =
      isPiped ? await onOwnThread { (try? output.readToEnd()) ?? Data() } : Data()
    for await _ in ending {}
    let (status, reason) = process.withLock { ($0.terminationStatus, $0.terminationReason) }
    return Tool.Outcome(
      status: status, signal: reason == .uncaughtSignal ? status : nil, output: outputData,
      errors: String(decoding: await errorData, as: UTF8.self))
  }
}
