import Dispatch
import Foundation
import Synchronization

/// The signals that ask the program to end: Ctrl-C, SIGTERM, and the terminal going away.
///
/// The first one calls the handler. A program that has not ended soon after, because a library works on
/// something that cannot be broken off, is ended; so it is by a second signal.
@MainActor
final class StopSignals {
  /// The first signal that came.
  private final class Record: Sendable {
    let received = Mutex<Int32?>(nil)
  }

  private nonisolated static let patience = DispatchTimeInterval.milliseconds(850)

  private let record = Record()
  private let queue = DispatchQueue(label: "speechkit.signals", qos: .userInteractive)
  private var sources: [any DispatchSourceSignal] = []

  /// Watches from now on. The handler is called on a queue of its own.
  func watch(_ handler: @escaping @Sendable () -> Void) {
    let record = record
    let queue = queue
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // What “nohup” starts ignores the terminal's going away, and is to go on doing so.
      guard number != SIGHUP || !Self.isIgnored(number) else { continue }
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      // Sendable, or it would belong to the main actor, where it does not run.
      source.setEventHandler { @Sendable in Self.receive(number, record, queue, handler) }
      source.activate()
      sources.append(source)
    }
  }

  /// The status that the signal asks for; `nil` if none came.
  var status: ExitStatus? { record.received.withLock { $0 }.map(ExitStatus.init(signal:)) }

  private nonisolated static func receive(
    _ number: Int32, _ record: Record, _ queue: DispatchQueue, _ handler: @Sendable () -> Void
  ) {
    let isFirst = record.received.withLock { received in
      defer { received = received ?? number }
      return received == nil
    }
    guard isFirst else { _exit(ExitStatus(signal: number).rawValue) }
    queue.asyncAfter(deadline: .now() + patience) { _exit(ExitStatus(signal: number).rawValue) }
    handler()
  }

  private nonisolated static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
