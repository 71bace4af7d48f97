import Foundation

/// Runs the body on a thread of its own, where it may block.
///
/// Tasks share as few threads as the machine has cores. A test that waited on one of them for a
/// process, a pipe or a semaphore would delay the tests of all suites.
public func onOwnThread<Value: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
  let result = await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(returning: Result { () throws(Failure) in try body() })
    }
  }
  return try result.get()
}
