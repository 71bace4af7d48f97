import AIServices
import Foundation
import SpeechConcurrency

/// Keeps a connection open: opens it, reopens it after a loss, and stops after a permanent failure.
final class ConnectionKeeper: Sendable {
  /// The progress of an attempt, reported by the attempt itself.
  struct Progress: Sendable {
    fileprivate struct Steps {
      var hasReachedServer = false
      var isConnected = false
      var hasCarried = false
    }

    fileprivate let steps = Guarded(Steps())
    fileprivate let announce: @Sendable () -> Void

    /// The handshake with the server is complete.
    func reachedServer() { steps.withLock { $0.hasReachedServer = true } }

    /// The connection is ready for use.
    func connected() {
      steps.withLock {
        $0.hasReachedServer = true
        $0.isConnected = true
      }
      announce()
    }

    /// Application data has arrived.
    func carried() { steps.withLock { $0.hasCarried = true } }
  }

  private struct State {
    var current = SocketState.idle
    var finalError: (any Error)?
    var run: Task<Void, Never>?
    var number = 0
    var isStopping = false
  }

  /// The longest delay that a server may ask for.
  private static let longestWish = Duration.seconds(600)

  /// All changes of the state.
  let states = Broadcast<SocketState>()

  private let policy: ReconnectionPolicy
  private let clock: any Clock<Duration>
  private let attempt: @Sendable (Progress) async throws -> Void
  private let state = Guarded(State())
  private let changed = ChangeSignal()

  /// Creates a keeper.
  ///
  /// - Parameter attempt: opens and serves the connection; returns or throws when it ends.
  init(
    policy: ReconnectionPolicy, clock: any Clock<Duration>,
    attempt: @escaping @Sendable (Progress) async throws -> Void
  ) {
    self.policy = policy
    self.clock = clock
    self.attempt = attempt
  }

  /// The current state.
  var current: SocketState { state.withLock(\.current) }

  /// The error that ended all attempts.
  var finalError: (any Error)? { state.withLock(\.finalError) }

  /// Starts unless it is already running.
  func start() {
    state.withLock { state in
      guard state.run == nil else { return }
      state.number += 1
      state.finalError = nil
      state.isStopping = false
      // Set here and not in the task, so that later waiters do not see an earlier end.
      state.current = .connecting(attempt: 1)
      states.send(state.current)
      let number = state.number
      state.run = Task { await self.run(number) }
    }
    changed.notify()
  }

  /// Ends without waiting, for deinitialisation.
  func cancel() {
    state.withLock { $0.run }?.cancel()
    states.finish()
  }

  /// Ends; it may be started again.
  ///
  /// - Parameter farewell: closes the connection.
  func stop(_ farewell: () async -> Void) async {
    let (run, number) = state.withLock { state in
      // The end of the connection that follows is not a loss.
      state.isStopping = true
      return (state.run, state.number)
    }
    await farewell()
    run?.cancel()
    await run?.value
    become(.ended(reason: nil), error: nil, number: number)
  }

  /// Starts, and waits until the connection is established.
  ///
  /// - Throws: the error that ended all attempts; `CancellationError` when the task is cancelled or
  ///   the keeper is stopped.
  func connect() async throws {
    start()
    try await changed.wait {
      let (current, error) = state.withLock { ($0.current, $0.finalError) }
      switch current {
      case .connected: return ()
      case .ended: throw error ?? CancellationError()
      case .idle, .connecting, .waiting: return nil
      }
    }
  }

  private func run(_ number: Int) async {
    var failures = 0
    var quickFailures = 0
    while !Task.isCancelled {
      if failures > 0 { become(.connecting(attempt: failures + 1), number: number) }
      let progress = Progress { [weak self] in self?.become(.connected, number: number) }
      let time = clock.stopwatch()
      let error: any Error
      do {
        try await attempt(progress)
        error = HTTPFailure.interrupted("the server ended it", beforeResponse: false)
      } catch let thrown {
        error = thrown
      }
      if Task.isCancelled || state.withLock(\.isStopping) { break }
      let steps = progress.steps.withLock { $0 }
      if steps.isConnected { failures = 0 }
      failures += 1
      let isQuick =
        steps.hasReachedServer && !steps.hasCarried && time() < policy.quickFailureTime
      quickFailures = isQuick ? quickFailures + 1 : steps.isConnected ? 0 : quickFailures
      let isFinal = (error as? any ConnectionFailure)?.isFinal ?? false
      if isFinal || failures > policy.attemptLimit ?? .max {
        return end(error, number: number)
      }
      if quickFailures >= policy.quickFailureLimit {
        let reason = Self.text(of: error)
        return end(RepeatedQuickFailure(count: quickFailures, reason: reason), number: number)
      }
      let wish = (error as? any ConnectionFailure)?.retryAfter ?? 0
      let delay = max(
        policy.delay(afterFailures: max(failures, quickFailures)),
        min(.seconds(wish), Self.longestWish))
      become(.waiting(delay: delay, reason: Self.text(of: error)), number: number)
      do { try await clock.sleep(for: delay) } catch { break }
    }
    become(.ended(reason: nil), number: number)
  }

  private func end(_ error: any Error, number: Int) {
    become(.ended(reason: Self.text(of: error)), error: error, number: number)
  }

  private func become(_ next: SocketState, error: (any Error)? = nil, number: Int) {
    state.withLock { state in
      // An earlier run must not change the state of a later one.
      guard state.number == number else { return }
      if case .ended = next {
        if case .ended = state.current { return }
        state.run = nil
        state.finalError = error
      }
      guard state.current != next else { return }
      state.current = next
      states.send(next)
    }
    changed.notify()
  }

  static func text(of error: any Error) -> String {
    (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
  }
}

/// An error for a server that repeatedly accepts connections and ends them at once.
struct RepeatedQuickFailure: Error, CustomStringConvertible {
  /// The number of connections.
  let count: Int
  /// The reason for the last end.
  let reason: String

  var description: String {
    "The server accepted \(count) connections in a row and ended each at once (\(reason)). "
      + "Check its log, the credentials and that it speaks this protocol."
  }
}
