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
  /// The ends of the process's standard streams; -1 for streams that are shared.
  private let (inputEnd, outputEnd, errorEnd): (Int32, Int32, Int32)
  private let (wakeEnd, signalEnd): (Int32, Int32)

  /// - Throws: `DesktopError.failed`.
  init(_ program: ProgramRun) throws {
    name = (program.path as NSString).lastPathComponent
    input = program.input ?? Data()
    var ends = Ends()
    defer { ends.closeTheirs() }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    guard ends.open(program) else {
      let reason = String(cString: strerror(errno))
      ends.closeOurs()
      throw DesktopError.failed(program: name, reason: reason)
    }
    if case .own = program.connections {
      if program.input == nil {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      } else {
        posix_spawn_file_actions_adddup2(&actions, ends.input.theirs, STDIN_FILENO)
      }
      posix_spawn_file_actions_adddup2(&actions, ends.output.theirs, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, ends.errors.theirs, STDERR_FILENO)
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
    if case .own = program.connections { flags |= POSIX_SPAWN_SETPGROUP }
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
    guard code == 0 else {
      ends.closeOurs()
      throw DesktopError.failed(program: name, reason: String(cString: strerror(code)))
    }
    self.id = id
    (inputEnd, outputEnd, errorEnd) = (ends.input.ours, ends.output.ours, ends.errors.ours)
    (wakeEnd, signalEnd) = ends.wake
  }

  private static var openDescriptors: [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [])
      .compactMap { Int32($0) }
  }

  deinit {
    for descriptor in [inputEnd, outputEnd, errorEnd, wakeEnd, signalEnd] where descriptor >= 0 {
      close(descriptor)
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
    _ = write(signalEnd, &byte, 1)
  }

  /// Exchanges text until the process has ended.
  ///
  /// - Throws: `DesktopError.timedOut`; `failed`; `CancellationError`.
  func attend(timeout: Duration?) throws -> ProgramRun.Ending {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    var exchange = Exchange(input: input, inputEnd, outputEnd, errorEnd)
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
  private var inputEnd: Int32
  private var outputEnd: Int32
  private var errorEnd: Int32
  private(set) var output = Data()
  private(set) var errors = Data()

  init(input: Data, _ inputEnd: Int32, _ outputEnd: Int32, _ errorEnd: Int32) {
    rest = Array(input)[...]
    (self.inputEnd, self.outputEnd, self.errorEnd) = (inputEnd, outputEnd, errorEnd)
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
    shutdown(inputEnd, Int32(SHUT_WR))
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

/// The ends of a process's standard streams. These are sockets, because sockets are closed in other
/// programs that are started at the same time, and because writing to a closed one raises no
/// signal.
private struct Ends {
  typealias Pair = (ours: Int32, theirs: Int32)

  private(set) var input: Pair = (-1, -1)
  private(set) var output: Pair = (-1, -1)
  private(set) var errors: Pair = (-1, -1)
  /// Both ends belong to this process.
  private(set) var wake: Pair = (-1, -1)

  /// - Returns: False if the sockets cannot be created, with the reason in `errno`.
  mutating func open(_ program: ProgramRun) -> Bool {
    guard Self.connect(&wake) else { return false }
    guard case .own = program.connections else { return true }
    if program.input != nil {
      guard Self.connect(&input) else { return false }
    }
    guard Self.connect(&output), Self.connect(&errors) else { return false }
    for end in [input.ours, output.ours, errors.ours] where end >= 0 {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return true
  }

  private static func connect(_ pair: inout Pair) -> Bool {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return false }
    pair = (ends[0], ends[1])
    return true
  }

  func closeOurs() {
    for end in [input.ours, output.ours, errors.ours, wake.ours, wake.theirs] where end >= 0 {
      close(end)
    }
  }

  func closeTheirs() {
    for end in [input.theirs, output.theirs, errors.theirs] where end >= 0 { close(end) }
  }
}
