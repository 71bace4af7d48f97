import Foundation
import Synchronization

/// The signals that ask the program to end: Ctrl-C, SIGTERM, and the terminal going away.
///
/// The first one calls the handler. The program exits if it has not ended soon after, because a
/// library is busy with work that cannot be interrupted, or if a second signal arrives.
package final class StopSignals: Sendable {
  /// The milliseconds that the program has to end after the first signal. `SPEECHKIT_STOP_TIMEOUT`
  /// sets them for machines that are too slow or too busy for the default.
  private static let timeout: Int32 =
    ProcessInfo.processInfo.environment["SPEECHKIT_STOP_TIMEOUT"].flatMap { Int32($0) } ?? 850

  /// The pipe that the signal handler writes to. A handler may do little else, and a pipe keeps a
  /// signal that arrives before it is waited for.
  private static let pipe = SignalPipe()

  private let received = Mutex<Int32?>(nil)

  /// Starts to catch the signals.
  package init() {
    // Initialised here, because a signal handler must not allocate.
    _ = Self.pipe
    for number in [SIGINT, SIGTERM, SIGHUP] where number != SIGHUP || !Self.isIgnored(number) {
      signal(number) { number in StopSignals.pipe.write(number) }
      Self.unblock(number)
    }
  }

  /// Unblocks a signal. A process inherits the signals that its parent blocks, as Foundation's
  /// `Process` does on the threads of its pools, and could then not be ended in good order.
  private static func unblock(_ number: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Calls the handler with the first signal, on a thread of its own.
  package func handle(_ handler: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [self] in
      guard let number = Self.pipe.read() else { return }
      received.withLock { $0 = number }
      handler()
      // After another signal or the timeout there is nothing left to wait for.
      Self.pipe.wait(milliseconds: Self.timeout)
      _exit(ExitStatus(signal: number).rawValue)
    }
  }

  /// The exit status for the signal; `nil` if none arrived.
  package var status: ExitStatus? { received.withLock { $0 }.map(ExitStatus.init(signal:)) }

  /// True if the program was started with the signal ignored, as `nohup` does with SIGHUP.
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

  /// Writes a number. Safe to call in a signal handler.
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

  /// Waits for a number until the timeout, and leaves it in the pipe.
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
