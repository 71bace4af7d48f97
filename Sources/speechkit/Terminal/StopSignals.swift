import Foundation
import Synchronization

/// The signals that ask the program to end: Ctrl-C, SIGTERM, and the terminal going away.
///
/// The first one calls the handler. A program that has not ended soon after, because a library works on
/// something that cannot be broken off, is ended; so it is by a second signal.
final class StopSignals: Sendable {
  private static let patience = timespec(tv_sec: 0, tv_nsec: 850_000_000)

  private let received = Mutex<Int32?>(nil)

  /// Watches from now on. Has to be called before there are other threads, which would take the signals
  /// for themselves; a signal that comes before anybody waits for it is kept.
  init() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Calls the handler with the first signal, on a thread of its own.
  func handle(_ handler: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [self] in
      var signals = Self.signals
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { return }
      received.withLock { $0 = number }
      handler()
      // Whether another signal comes or the time is over, there is nothing left to wait for.
      var patience = Self.patience
      sigtimedwait(&signals, nil, &patience)
      _exit(ExitStatus(signal: number).rawValue)
    }
  }

  /// The status that the signal asks for; `nil` if none came.
  var status: ExitStatus? { received.withLock { $0 }.map(ExitStatus.init(signal:)) }

  private static var signals: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] where number != SIGHUP || !isIgnored(number) {
      sigaddset(&set, number)
    }
    return set
  }

  /// What “nohup” starts ignores the terminal's going away, and is to go on doing so.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
