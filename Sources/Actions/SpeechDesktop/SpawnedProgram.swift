import Foundation

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
  private let wakeChannel: Channel

  /// - Throws: `DesktopError.failed`.
  init(_ program: ProgramRun) throws {
    name = (program.path as NSString).lastPathComponent
    input = program.input ?? Data()
    isInputHeld = program.isInputHeld
    wakeChannel = try Self.connect(for: name)
    var channels: [Channel?] = []
    defer { withExtendedLifetime(channels) {} }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    switch program.connections {
    case .own:
      channels = [
        program.input == nil ? nil : try Self.connect(for: name), try Self.connect(for: name),
        try Self.connect(for: name),
      ]
    case .none: channels = [nil, nil, nil]
    case .shared: break
    }
    for (number, channel) in zip(STDIN_FILENO..., channels) {
      if let channel {
        _ = fcntl(channel.ours.fileDescriptor, F_SETFL, O_NONBLOCK)
        posix_spawn_file_actions_adddup2(&actions, channel.theirs.fileDescriptor, number)
      } else {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    // Background processes must not keep descriptors open that other programs wait for.
    for descriptor in Self.openDescriptors where descriptor > STDERR_FILENO {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    // Background processes that keep a selection must not end with Ctrl-C in the terminal.
    if !channels.isEmpty { flags |= POSIX_SPAWN_SETPGROUP }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)

    var arguments: [UnsafeMutablePointer<CChar>?] =
      ([program.path] + program.arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      program.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for string in arguments + variables { free(string) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, program.path, &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw Self.failure(code, of: name) }
    self.id = id
    streams = channels.map { $0?.ours }
  }

  private typealias Channel = (ours: FileHandle, theirs: FileHandle)

  /// Connects two ends. These are sockets, because sockets are closed in other programs that are
  /// started at the same time, and because writing to a closed one raises no signal.
  private static func connect(for name: String) throws -> Channel {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw failure(errno, of: name) }
    return (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
  }

  private static var openDescriptors: [Int32] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") else {
      // All of them are in use.
      return Array(0..<Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))))
    }
    return names.compactMap { Int32($0) }
  }

  private static func failure(_ code: Int32, of name: String) -> DesktopError {
    let remedy = code == EMFILE ? ". Raise the limit on open files (`ulimit -n 64`)." : ""
    return .failed(program: name, reason: String(cString: strerror(code)) + remedy)
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
