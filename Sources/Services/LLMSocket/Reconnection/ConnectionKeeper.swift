import AIServices
import Foundation
import SpeechConcurrency

/// Keeps a connection open: opens it, opens it again when it is lost, and gives up where that makes no sense.
final class ConnectionKeeper: Sendable {
  /// How an attempt tells how far it got.
  struct Progress: Sendable {
    fileprivate struct Steps {
      var hasReachedServer = false
      var isConnected = false
      var hasCarried = false
    }

    fileprivate let steps = Guarded(Steps())
    fileprivate let announce: @Sendable () -> Void

    /// The server agreed to speak.
    func reachedServer() { steps.withLock { $0.hasReachedServer = true } }

    /// The connection can be used.
    func connected() {
      steps.withLock {
        $0.hasReachedServer = true
        $0.isConnected = true
      }
      announce()
    }

    /// Something useful came over it.
    func carried() { steps.withLock { $0.hasCarried = true } }
  }

  private struct State {
    var current = SocketState.idle
    var finalError: (any Error)?
    var run: Task<Void, Never>?
    var number = 0
  }

  /// All changes of the state.
  let states = Broadcast<SocketState>()

  private let policy: ReconnectionPolicy
  private let clock: any Clock<Duration>
  private let attempt: @Sendable (Progress) async throws -> Void
  private let state = Guarded(State())
  private let changed = ChangeSignal()

  /// - Parameter attempt: opens the connection, serves it, and returns or throws when it is over.
  init(
    policy: ReconnectionPolicy, clock: any Clock<Duration>,
    attempt: @escaping @Sendable (Progress) async throws -> Void
  ) {
    self.policy = policy
    self.clock = clock
    self.attempt = attempt
  }

  /// How it is doing.
  var current: SocketState { state.withLock(\.current) }

  /// Why it was given up.
  var finalError: (any Error)? { state.withLock(\.finalError) }

  /// Begins, if it has not begun or has ended.
  func start() {
    state.withLock { state in
      guard state.run == nil else { return }
      state.number += 1
      state.finalError = nil
      // Told here and not by the task, so that who waits from now on does not see an earlier end.
      state.current = .connecting(attempt: 1)
      states.send(state.current)
      let number = state.number
      state.run = Task { await self.run(number) }
    }
    changed.notify()
  }

  /// Ends it without waiting. For those who are let go.
  func cancel() {
    state.withLock { $0.run }?.cancel()
    states.finish()
  }

  /// Ends it; it may be started again.
  func stop() async {
    let (run, number) = state.withLock { ($0.run, $0.number) }
    run?.cancel()
    await run?.value
    become(.ended(reason: nil), error: nil, number: number)
  }

  /// Begins, and waits until the connection stands.
  ///
  /// - Throws: why it was given up; `CancellationError` when the task is cancelled or it is stopped.
  func connect() async throws {
    start()
    while true {
      let version = changed.version
      let (current, error) = state.withLock { ($0.current, $0.finalError) }
      switch current {
      case .connected: return
      case .ended: throw error ?? CancellationError()
      case .idle, .connecting, .waiting: try await changed.wait(after: version)
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
      if Task.isCancelled { break }
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
      let delay = policy.delay(afterFailures: max(failures, quickFailures))
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
      // A run that was followed by another has nothing to say any more.
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
