/// A call of code that an app gave to the toolkit, such as a responder.
///
/// In virtual time, such code may not touch the clock, the timers, the sockets and the files of the
/// machine, because its outcome would depend on them. The library for tests reports it by this
/// name.
package enum HandlerCall {
  /// The name of the handler that the current task works for.
  @TaskLocal package static var name: String?

  /// Calls a handler.
  package static func run<Value, Failure: Error>(
    _ name: @autoclosure () -> String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let order = TaskOrders.current, order.isCurrent else { return try body() }
    let name = name()
    let end = order.beginHandler(name)
    defer { end() }
    // Through a result, because the task local's own function forgets the type of the error.
    let result = $name.withValue(name) { () -> Result<Value, Failure> in
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Runs code of the toolkit that a handler called. It may use the machine, because it does so
  /// through `ExternalWork` where the outcome depends on it.
  package static func suspended<Value>(_ body: () throws -> Value) rethrows -> Value {
    guard name != nil else { return try body() }
    return try $name.withValue(nil, operation: body)
  }

  /// Waits for code of the toolkit that a handler called.
  package static func suspended<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async throws -> Value {
    guard name != nil else { return try await body() }
    return try await $name.withValue(nil, operation: body)
  }

  /// Waits for a handler.
  package static func run<Value>(
    _ name: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Value
  ) async throws -> Value {
    guard let order = TaskOrders.current, order.isCurrent else { return try await body() }
    let name = name()
    let end = order.beginHandler(name)
    defer { end() }
    return try await $name.withValue(name, operation: body)
  }
}
