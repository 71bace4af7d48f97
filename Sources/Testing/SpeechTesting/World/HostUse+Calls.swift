import CHostCalls
import SpeechConcurrency

extension HostUse {
  /// The use that a call of a C function is; `nil` for files that belong to the system, which are
  /// the same whenever they are read.
  init?(handler: String, function: String, path: String?) {
    self.handler = handler
    self.function = function
    switch function {
    case "clock_gettime", "time": kind = .clock
    case "socket", "connect", "getaddrinfo": kind = .socket
    case "fork", "posix_spawn": kind = .process
    case "open", "openat", "fopen":
      let path = path ?? ""
      guard !Self.systemFolders.contains(where: path.hasPrefix) else { return nil }
      kind = .file(path: path)
    default: kind = .pause
    }
  }

  /// Folders whose files tell nothing about a run: locales, time zones, libraries, the process
  /// itself.
  private static let systemFolders = [
    "/usr/", "/etc/", "/lib", "/opt/", "/proc/", "/sys/", "/dev/",
  ]

  /// True if calls of handlers can be reported; false under sanitizers, which replace the functions
  /// too.
  package static var isWatchingCalls: Bool { skhc_is_watching() != 0 }

  /// Reports the calls of handlers to the worlds in which they are made.
  ///
  /// Only handlers are watched: the toolkit's own parts read models, and measure themselves.
  static let watchCalls: Void = skhc_observe { function, path in
    guard let handler = HandlerCall.name, let world = WorldOrder.current else { return }
    let use = HostUse(
      handler: handler, function: String(cString: function), path: path.map { String(cString: $0) })
    if let use { world.report(use) }
  }
}
