import Foundation

/// A program to be started as a child process, in a way that works from any thread and while other
/// programs are started at the same time.
package struct ProcessStart {
  /// Two connected ends, of which the second is for the child. Both are open until they are
  /// released.
  package typealias Channel = (ours: FileHandle, theirs: FileHandle)

  private let path: String
  private let arguments: [String]
  private let environment: [String: String]

  /// - Parameter path: the path of the program, which is not searched for.
  package init(path: String, arguments: [String], environment: [String: String]) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
  }

  /// Returns the path of a program in `PATH`; `nil` if it is not installed.
  package static func path(of program: String, _ environment: [String: String]) -> String? {
    if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
    return (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
      .map { "\($0)/\(program)" }
      .first { access($0, X_OK) == 0 }
  }

  /// Connects two ends. These are sockets, because sockets are closed in other programs that are
  /// started at the same time, and because writing to a closed one raises no signal.
  package static func channel() throws(SystemFailure) -> Channel {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemFailure(code: errno) }
    return (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
  }

  /// Starts the program and returns the id of the process, which the caller has to wait for.
  ///
  /// - Parameter channels: the standard input, output and errors; each a channel, whose own end is
  ///   set not to block, or the null device for `nil`. The process then has a group of its own.
  ///   Without the array it shares those of this process, and its group.
  package func start(channels: [Channel?]?) throws(SystemFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, channel) in zip(STDIN_FILENO..., channels ?? []) {
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
    if channels != nil { flags |= POSIX_SPAWN_SETPGROUP }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)

    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for string in words + variables { free(string) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, path, &actions, &attributes, &words, &variables)
    withExtendedLifetime(channels) {}
    guard code == 0 else { throw SystemFailure(code: code) }
    return id
  }

  private static var openDescriptors: [Int32] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") else {
      // All of them are in use.
      return Array(0..<Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))))
    }
    return names.compactMap { Int32($0) }
  }
}
