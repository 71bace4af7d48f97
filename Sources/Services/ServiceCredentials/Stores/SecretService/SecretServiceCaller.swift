import Foundation
import SpeechConcurrency

/// Makes the blocking calls to the Secret Service one after another, on a serial queue, each with a
/// timeout.
///
/// There is one caller for the process, because libsecret keeps one connection for the process.
final class SecretServiceCaller: Sendable {
  static let shared = SecretServiceCaller()

  /// The time after which a cancelled call that has not returned is abandoned.
  private static let grace = Duration.seconds(2)

  private let queue = DispatchQueue(label: "speechkit.credentials.secret-service")
  /// Kept between calls: connecting takes ten times as long as a query.
  private let connection = Guarded<SecretServiceConnection?>(nil)

  private init() {}

  /// Runs the body on the queue.
  ///
  /// - Throws: errors of the body; `AICredentialError.storeUnavailable` without the library or a
  ///   bus; `AICredentialError.storeLocked` after the timeout; `CancellationError`.
  func run<Result: Sendable>(
    within limit: Duration, _ body: @escaping @Sendable (SecretServiceSession) throws -> Result
  ) async throws -> Result {
    guard let library = await library() else {
      throw AICredentialError.storeUnavailable(
        "The library for the desktop's Secret Service is not installed. Install libsecret-1-0.")
    }
    guard Self.isThereABus else {
      throw AICredentialError.storeUnavailable(
        "There is no session bus and therefore no Secret Service. Log in to a desktop, or use "
          + "a file."
      )
    }
    let cancellation = CallCancellation(library)
    let reply = Reply<Result>()
    let tooLate = AICredentialError.storeLocked(
      "The Secret Service did not answer within \(limit), perhaps because it is waiting for a "
        + "password. Unlock the keyring and try again.")
    let timer = Task {
      try await Task.sleep(for: limit)
      cancellation.cancel()
      try await Task.sleep(for: Self.grace)
      reply.give(.failure(tooLate))
    }
    defer { timer.cancel() }
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          reply.expect(continuation)
          queue.async {
            reply.give(
              Swift.Result { try self.call(library, cancellation, body) })
          }
        }
      } onCancel: {
        cancellation.cancel()
        // Abandons a call that does not react to its cancellation.
        Task {
          try await Task.sleep(for: Self.grace)
          reply.give(.failure(CancellationError()))
        }
      }
    } catch is SecretServiceSession.Cancelled {
      try Task.checkCancellation()
      throw tooLate
    }
  }

  /// Loads the library on the queue, because that reads files. Until it is loaded, no call occupies
  /// the queue.
  private func library() async -> LibSecret? {
    if let library = LibSecret.ifLoaded { return library }
    return await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: LibSecret.load()) }
    }
  }

  /// Runs the body with the kept connection, or a new one. Only on the queue.
  private func call<Result>(
    _ library: LibSecret, _ cancellation: CallCancellation,
    _ body: (SecretServiceSession) throws -> Result
  ) throws -> Result {
    guard !cancellation.isCancelled else { throw SecretServiceSession.Cancelled() }
    do {
      if let kept = connection.withLock({ $0 }) {
        do {
          return try body(SecretServiceSession(connection: kept, cancellation: cancellation))
        } catch let error as SecretServiceError where error.mayBeStale {
          connection.withLock { $0 = nil }
        }
      }
      let new = try SecretServiceConnection(library, cancellation)
      connection.withLock { $0 = new }
      return try body(SecretServiceSession(connection: new, cancellation: cancellation))
    } catch let error as SecretServiceError {
      connection.withLock { $0 = nil }
      throw error.error
    }
  }

  /// Without this check GLib would start a bus of its own on a graphical session.
  private static var isThereABus: Bool {
    let environment = ProcessInfo.processInfo.environment
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
    guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return false }
    var status = stat()
    return stat(folder + "/bus", &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }
}

/// Cancels a running call.
final class CallCancellation: @unchecked Sendable {
  // Unchecked because a GCancellable may be used from any thread.
  let object: LibSecret.Object?
  private let library: LibSecret

  init(_ library: LibSecret) {
    self.library = library
    object = library.newCancellable()
  }

  deinit {
    if let object { library.release(object) }
  }

  func cancel() { library.cancel(object) }

  var isCancelled: Bool { library.isCancelled(object) != 0 }
}

/// The first of several results, for one waiting task.
private final class Reply<Value: Sendable>: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Value, any Error>)
    case given(Result<Value, any Error>)
    case over
  }

  private let state = Guarded(State.idle)

  func expect(_ continuation: CheckedContinuation<Value, any Error>) {
    let early: Result<Value, any Error>? = state.withLock { state in
      if case .given(let result) = state {
        state = .over
        return result
      }
      state = .waiting(continuation)
      return nil
    }
    if let early { continuation.resume(with: early) }
  }

  func give(_ result: Result<Value, any Error>) {
    let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
      switch state {
      case .idle:
        state = .given(result)
        return nil
      case .waiting(let continuation):
        state = .over
        return continuation
      case .given, .over:
        return nil
      }
    }
    continuation?.resume(with: result)
  }
}
