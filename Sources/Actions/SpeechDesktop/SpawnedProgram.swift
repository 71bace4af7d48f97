import Foundation
import SpeechFiles

/// A running process with its pipes.
final class SpawnedProgram: Sendable {
  enum Reason: UInt8 {
    case ended = 1
    case cancelled = 2
  }

  private let name: String
  private let id: pid_t
  private let input: Data
  private let isInputHeld: Bool
  /// The ends of the process's input, output and errors; `nil` for streams without one.
  private let streams: [FileHandle?]
  /// Both ends belong to this process.
  private let wakeChannel: ProcessStart.Channel

  /// - Throws: `DesktopError.failed`.
  init(_ program: ProgramRun) throws {
    name = (program.path as NSString).lastPathComponent
    input = program.input ?? Data()
    isInputHeld = program.isInputHeld
    do throws(SystemFailure) {
      wakeChannel = try ProcessStart.channel()
      let channels: [ProcessStart.Channel?]?
      switch program.connections {
      case .own:
        channels = [
          program.input == nil ? nil : try ProcessStart.channel(), try ProcessStart.channel(),
          try ProcessStart.channel(),
        ]
      case .none: channels = [nil, nil, nil]
      case .shared: channels = nil
      }
      id = try ProcessStart(
        path: program.path, arguments: program.arguments, environment: program.environment
      ).start(channels: channels)
      streams = channels?.map { $0?.ours } ?? []
    } catch {
      let remedy = error.code == EMFILE ? ". Raise the limit on open files (`ulimit -n 64`)." : ""
      throw DesktopError.failed(program: name, reason: error.description + remedy)
    }
  }

  /// Waits until the process has ended, without reaping it. `attend` reaps it: until then the
  /// process id cannot be reused, so the process can be killed by it.
  func waitForEnd() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    wake(.ended)
  }

  func wake(_ reason: Reason) {
    var byte = reason.rawValue
    _ = write(wakeChannel.theirs.fileDescriptor, &byte, 1)
  }

  /// Exchanges text until the process has ended.
  ///
  /// - Throws: `DesktopError.timedOut`; `failed`; `CancellationError`.
  func attend(timeout: Duration?) throws -> ProgramRun.Ending {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    let wakeEnd = wakeChannel.ours.fileDescriptor
    var exchange = Exchange(
      input: input, streams.map { $0?.fileDescriptor ?? -1 }, endsInput: !isInputHeld)
    var problem: (any Error)?
    func give(up reason: any Error) {
      problem = problem ?? reason
      exchange.end()
      kill(id, SIGKILL)
    }
    while true {
      var wishes = exchange.wishes + [pollfd(fd: wakeEnd, events: Int16(POLLIN), revents: 0)]
      let count = poll(&wishes, nfds_t(wishes.count), problem == nil ? Self.patience(deadline) : -1)
      guard count >= 0 || errno != EINTR else { continue }
      if count == 0 {
        give(up: DesktopError.timedOut(program: name, timeout ?? .zero))
        continue
      }
      exchange.proceed(wishes)
      if exchange.isTooMuch {
        give(up: DesktopError.failed(program: name, reason: "it wrote more than 16 MiB."))
      }
      guard wishes[wishes.count - 1].revents != 0 else { continue }
      var reason: UInt8 = 0
      guard read(wakeEnd, &reason, 1) == 1 else { continue }
      if reason == Reason.ended.rawValue { break }
      give(up: CancellationError())
    }
    // The last output is in the pipes. They may never reach their end if a background process has
    // them open.
    exchange.finish()
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    if let problem { throw problem }
    let signal = status & 0x7F
    return ProgramRun.Ending(
      status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, output: exchange.output,
      errors: String(decoding: exchange.errors, as: UTF8.self))
  }

  private static func patience(_ deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
    return Int32(max(0, min(left.rounded(.up), 3_600_000)))
  }
}

/// The data on its way to and from a process, without blocking.
private struct Exchange {
  private var rest: ArraySlice<UInt8>
  private let endsInput: Bool
  private var inputEnd: Int32
  private var outputEnd: Int32
  private var errorEnd: Int32
  private(set) var output = Data()
  private(set) var errors = Data()

  /// - Parameter ends: Those of the input, the output and the errors; empty for shared streams.
  init(input: Data, _ ends: [Int32], endsInput: Bool) {
    rest = Array(input)[...]
    self.endsInput = endsInput
    (inputEnd, outputEnd, errorEnd) = ends.isEmpty ? (-1, -1, -1) : (ends[0], ends[1], ends[2])
    endInput()
  }

  var isTooMuch: Bool { output.count + errors.count > ProgramRun.mostOutput }

  /// The descriptors to poll. Negative ones are ignored by `poll`.
  var wishes: [pollfd] {
    [
      pollfd(fd: inputEnd, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: outputEnd, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errorEnd, events: Int16(POLLIN), revents: 0),
    ]
  }

  mutating func proceed(_ answers: [pollfd]) {
    if answers[0].revents != 0 { give() }
    if answers[1].revents != 0 { Self.take(&outputEnd, into: &output) }
    if answers[2].revents != 0 { Self.take(&errorEnd, into: &errors) }
  }

  mutating func finish() {
    Self.take(&outputEnd, into: &output)
    Self.take(&errorEnd, into: &errors)
  }

  mutating func end() {
    rest = []
    endInput()
    (outputEnd, errorEnd) = (-1, -1)
  }

  private mutating func give() {
    let count = rest.withUnsafeBytes { bytes in
      // Without a signal if the process does not read.
      send(inputEnd, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
    if count < 0 {
      guard errno != EAGAIN, errno != EINTR else { return }
      rest = []
    } else {
      rest = rest.dropFirst(count)
    }
    endInput()
  }

  private mutating func endInput() {
    guard rest.isEmpty, inputEnd >= 0 else { return }
    if endsInput { shutdown(inputEnd, Int32(SHUT_WR)) }
    inputEnd = -1
  }

  private static func take(_ end: inout Int32, into data: inout Data) {
    var piece = [UInt8](repeating: 0, count: 65_536)
    while end >= 0 {
      let count = read(end, &piece, piece.count)
      if count > 0 {
        data.append(contentsOf: piece[..<count])
        if data.count > ProgramRun.mostOutput { return }
      } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
        end = -1
      } else if errno == EAGAIN {
        return
      }
    }
  }
}
