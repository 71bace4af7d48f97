import Foundation
import SpeechConcurrency

/// Chromium without a window, and the socket over which it is told what to do.
///
/// It ends when the socket is closed, also when the tests die: nothing is left behind.
final class BrowserProcess: Sendable {
  /// The names of the program, the smaller one first.
  private static let programs = ["chromium-headless-shell", "chromium"]

  private struct State {
    var isClosed = false
    var hasEnded = false
  }

  private let process: pid_t
  private let socket: Int32
  private let home: URL
  private let state = Guarded(State())
  private let changes = ChangeSignal()

  /// Starts it.
  ///
  /// - Parameters:
  ///   - onMessage: called with each message, in order, on one thread.
  ///   - onEnd: called after the last message.
  /// - Throws: `BrowserError`.
  init(
    hostRules: [String], onMessage: @escaping @Sendable (Data) -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) throws {
    let program = try Self.program()
    home = FileManager.default.temporaryDirectory
      .appending(path: "speechkit-browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let arguments = Self.arguments(home: home, hostRules: hostRules)
    (process, socket) = try Self.spawn(program, arguments, log: Self.log(in: home))
    Thread.detachNewThread { [self] in
      read(onMessage)
      finish()
      onEnd()
    }
  }

  /// Sends a message.
  func send(_ message: Data) throws {
    let data = message + [0]
    try state.withLock { state in
      guard !state.isClosed else { throw BrowserError("The browser has been closed.") }
      var sent = 0
      while sent < data.count {
        let count = data.withUnsafeBytes {
          Glibc.send(
            socket, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw BrowserError("The browser has ended. \(lastWords)") }
        sent += count
      }
    }
  }

  /// Ends it, and waits until nothing of it is left.
  func close() async {
    hangUp()
    // A cancelled task does not wait, and the thread still cleans up.
    try? await changes.wait(until: { state.withLock(\.hasEnded) })
  }

  /// Ends it without waiting.
  func hangUp() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  /// The last that it wrote about itself.
  var lastWords: String {
    let text = (try? String(contentsOf: Self.log(in: home), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").suffix(3).joined(separator: "\n")
  }

  private func read(_ onMessage: (Data) -> Void) {
    var pending = Data()
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &room, room.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      pending.append(contentsOf: room[..<count])
      // Only what has just come can hold the end of a message.
      while let end = pending.firstIndex(of: 0) {
        onMessage(Data(pending[..<end]))
        pending = Data(pending[(end + 1)...])
      }
    }
  }

  private func finish() {
    hangUp()
    // What closing the socket does not end within five seconds is ended.
    var status: Int32 = 0
    let deadline = ContinuousClock.now + .seconds(5)
    while waitpid(process, &status, WNOHANG) == 0 {
      if deadline < .now { kill(-process, SIGKILL) }
      usleep(2_000)
    }
    // The parts of the browser are in its group, and may be a moment behind.
    kill(-process, SIGKILL)
    Glibc.close(socket)
    try? FileManager.default.removeItem(at: home)
    state.withLock { $0.hasEnded = true }
    changes.notify()
  }

  // MARK: Starting

  private static func program() throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    for name in programs {
      for folder in path.split(separator: ":") {
        let program = "\(folder)/\(name)"
        if access(program, X_OK) == 0 { return program }
      }
    }
    throw BrowserError(
      "These tests need a browser, and none is installed. Run Scripts/install, or "
        + "`apt-get install chromium-headless-shell`.")
  }

  private static func arguments(home: URL, hostRules: [String]) -> [String] {
    var arguments = [
      "--headless", "--remote-debugging-pipe", "--user-data-dir=\(home.path)",
      "--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-extensions",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--disable-default-apps", "--disable-domain-reliability", "--mute-audio", "--hide-scrollbars",
      "--force-color-profile=srgb", "--lang=en-GB",
      // What containers give of shared memory is too small.
      "--disable-dev-shm-usage",
      // No name but those of the rules is looked up, so that nothing reaches the network.
      "--host-resolver-rules="
        + (hostRules + [
          "MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1", "EXCLUDE [::1]", "EXCLUDE localhost",
        ])
        .joined(separator: ", "),
    ]
    // Chromium refuses to build its sandbox for root, and only then goes without.
    if geteuid() == 0 { arguments.append("--no-sandbox") }
    return arguments + ["about:blank"]
  }

  private static func log(in home: URL) -> URL { home.appending(path: "browser.log") }

  /// One socket is both of the descriptors that the browser reads from and writes to.
  private static func spawn(
    _ program: String, _ arguments: [String], log: URL
  ) throws -> (pid_t, Int32) {
    var ends: [Int32] = [-1, -1]
    guard
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw BrowserError("No socket for the browser: \(String(cString: strerror(errno)))") }
    // Out of the way of the numbers that it is to have in the browser.
    let theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
    Glibc.close(ends[1])
    defer { Glibc.close(theirs) }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, log.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 2, 1)
    posix_spawn_file_actions_adddup2(&actions, theirs, 3)
    posix_spawn_file_actions_adddup2(&actions, theirs, 4)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    // Tasks' threads block nearly all signals, and what they start would inherit that.
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))

    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process = pid_t()
    let code = posix_spawn(&process, program, &actions, &attributes, &words, environ)
    guard code == 0 else {
      Glibc.close(ends[0])
      throw BrowserError("\(program) does not start: \(String(cString: strerror(code)))")
    }
    return (process, ends[0])
  }
}
