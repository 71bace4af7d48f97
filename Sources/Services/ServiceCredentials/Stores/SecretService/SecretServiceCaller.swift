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
    let result = FirstResult<Result>()
    queue.async {
      result.give(Swift.Result { try self.call(library, cancellation, body) })
    }
    let tooLate = AICredentialError.storeLocked(
      "The Secret Service did not answer within \(limit), perhaps because it is waiting for a "
        + "password. Unlock the keyring and try again.")
    let timer = Task {
      try await Task.sleep(for: limit)
      cancellation.cancel()
      try await Task.sleep(for: Self.grace)
      result.give(.failure(tooLate))
    }
    defer { timer.cancel() }
    // A task of its own, because a call that reacts to its cancellation is waited for.
    let outcome = Task { try await result.value() }
    do {
      return try await withTaskCancellationHandler {
        try await outcome.value
      } onCancel: {
        cancellation.cancel()
        Task {
          try await Task.sleep(for: Self.grace)
          outcome.cancel()
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
