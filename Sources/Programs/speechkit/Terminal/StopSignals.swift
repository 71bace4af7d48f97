import Foundation
import Synchronization

/// The signals that ask the program to end: Ctrl-C, SIGTERM, and the terminal going away.
///
/// The first one calls the handler. A program that has not ended soon after, because a library works on
/// something that cannot be broken off, is ended; so it is by a second signal.
final class StopSignals: Sendable {
  private static let patience: Int32 = 850

  /// What the signals' handler writes into: a pipe, because little else may be done there, and because it
  /// keeps a signal that comes before anybody waits for it.
  private static let pipe = SignalPipe()

  private let received = Mutex<Int32?>(nil)

  /// Catches the signals from now on.
  init() {
    // Made here and not in the handler, where nothing may be made.
    _ = Self.pipe
    for number in [SIGINT, SIGTERM, SIGHUP] where number != SIGHUP || !Self.isIgnored(number) {
      signal(number) { number in StopSignals.pipe.write(number) }
      Self.unblock(number)
    }
  }

  /// A program that starts this one may hand on signals that it holds back itself, as Foundation's
  /// `Process` does on the threads of its pools; then nobody could end it in good order.
  private static func unblock(_ number: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Calls the handler with the first signal, on a thread of its own.
  func handle(_ handler: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [self] in
      guard let number = Self.pipe.read() else { return }
      received.withLock { $0 = number }
      handler()
      // Whether another signal comes or the time is over, there is nothing left to wait for.
      Self.pipe.wait(milliseconds: Self.patience)
      _exit(ExitStatus(signal: number).rawValue)
    }
  }

  /// The status that the signal asks for; `nil` if none came.
  var status: ExitStatus? { received.withLock { $0 }.map(ExitStatus.init(signal:)) }

  /// What “nohup” starts ignores the terminal's going away, and is to go on doing so.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// A pipe for the numbers of signals.
private struct SignalPipe: Sendable {
  private let input: Int32
  private let output: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    Foundation.pipe(&ends)
    (input, output) = (ends[0], ends[1])
  }

  /// Does nothing that is not allowed in the handler of a signal.
  func write(_ number: Int32) {
    let code = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = Foundation.write(output, &byte, 1)
    errno = code
  }

  /// Waits for a number.
  func read() -> Int32? {
    var byte: UInt8 = 0
    while true {
      let count = Foundation.read(input, &byte, 1)
      if count == 1 { return Int32(byte) }
      guard count < 0, errno == EINTR else { return nil }
    }
  }

  /// Waits for a number, but only so long, and leaves it where it is.
  func wait(milliseconds: Int32) {
    let end = ContinuousClock.now + .milliseconds(Int(milliseconds))
    var left = milliseconds
    while left > 0 {
      var wish = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&wish, 1, left) < 0, errno == EINTR else { return }
      left = Int32(ContinuousClock.now.duration(to: end) / .milliseconds(1))
    }
  }
}
