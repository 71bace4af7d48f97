import Foundation
import SpeechConcurrency
import SpeechFiles

/// An engine at an address: its description, and its connections.
///
/// Each exchange has a connection of its own, because many engines close theirs after an answer. A
/// program is kept for the next exchange unless it ends by itself; then the next one is started at
/// once, because it takes seconds to load its model.
final class WyomingEngine: Sendable {
  /// The losses after which an exchange fails, and the time to wait for an engine to come back.
  private static let mostLosses = 5
  private static let absence = Duration.seconds(10)

  private struct State {
    var info: WyomingInfo?
    /// True once it has answered before the end of the audio.
    var answersEarly = false
    /// A program that waits for the next exchange.
    var idle: WyomingLink?
    /// Waits for the end of that program.
    var watch: Task<Void, Never>?
  }

  let address: WyomingAddress
  private let state = Guarded(State())

  init(_ address: WyomingAddress) {
    self.address = address
  }

  /// The description; `nil` until the engine has been asked.
  var info: WyomingInfo? {
    get { state.withLock(\.info) }
    set { state.withLock { $0.info = newValue } }
  }

  /// True if the engine answers when it takes a pause for the end, and misses what follows.
  var answersEarly: Bool {
    state.withLock { $0.answersEarly || $0.info?.recogniser?.detectsEnd == true }
  }

  /// Notes that the engine has answered before the end of the audio.
  func noteEarlyAnswer() { state.withLock { $0.answersEarly = true } }

  /// Throws if the engine is a program that is not installed.
  func checkInstallation() throws(WyomingError) {
    guard case .program(let words) = address.place else { return }
    guard ProcessStart.path(of: words[0], ProcessInfo.processInfo.environment) == nil else {
      return
    }
    throw .notConnected(address.description, reason: "there is no program “\(words[0])”")
  }

  /// Asks the engine for its description, to see whether it can be used.
  ///
  /// - Returns: `nil` for a program, which is not started for the question alone.
  func check() async throws -> WyomingInfo? {
    try checkInstallation()
    guard !address.isProgram else { return nil }
    return try await ExternalWork.run { try await self.describe(until: .init(.seconds(10))) }
  }

  /// Opens a connection for an exchange, without waiting for it.
  func connect() throws(WyomingError) -> WyomingLink {
    let idle = state.withLock { state in
      defer { (state.idle, state.watch) = (nil, nil) }
      // Otherwise each exchange with the same program would leave a task.
      state.watch?.cancel()
      return state.idle
    }
    if let idle, idle.isOpen { return idle }
    try checkInstallation()
    return try WyomingLink(to: address)
  }

  /// Takes the connection of an exchange that is over, or was broken off.
  func release(_ link: WyomingLink, isComplete: Bool) {
    guard address.isProgram else { return }
    if !isComplete || !link.isOpen { return prepare() }
    state.withLock { state in
      state.idle = link
      state.watch?.cancel()
      state.watch = Task { [weak self, weak link, end = link.end] in
        // Only after an exchange, so that a program that ends whenever it is idle is not started
        // for ever.
        guard (try? await end()) != nil, let self, let link, takes(link) else { return }
        prepare()
      }
    }
  }

  /// Asks the engine for its description.
  func describe(until deadline: WyomingLink.Deadline) async throws -> WyomingInfo {
    let link = try connect()
    link.send(WyomingEvent(type: "describe"))
    while true {
      guard let event = try await link.next(until: deadline) else { continue }
      if let info = try read(event) {
        release(link, isComplete: true)
        return info
      }
    }
  }

  /// Returns the description if the event is one, and keeps it.
  ///
  /// - Throws: `WyomingError` for an event that reports an error.
  func read(_ event: WyomingEvent) throws(WyomingError) -> WyomingInfo? {
    switch event.type {
    case "info":
      guard let info = event.value(as: WyomingInfo.self) else {
        throw .against(address.description, reason: "its description has another form")
      }
      self.info = info
      return info
    case "error":
      let failure = event.value(as: WyomingMessage.Failure.self)
      throw .refused(
        address.description, text: failure?.text ?? "no reason", code: failure?.code)
    default:
      return nil
    }
  }

  /// Performs an exchange, and repeats it if the engine is lost that has answered before.
  ///
  /// - Parameters:
  ///   - deadline: the end of all attempts together.
  ///   - exchange: is given the number of losses.
  func persist<Value: Sendable>(
    until deadline: WyomingLink.Deadline,
    _ exchange: @Sendable (_ losses: Int) async throws -> Value
  ) async throws -> Value {
    var losses = 0
    var absence = WyomingLink.Deadline(Self.absence)
    while true {
      do {
        return try await exchange(losses)
      } catch let error as WyomingError where error.isLoss && info != nil {
        if case .lost = error {
          losses += 1
          absence = WyomingLink.Deadline(Self.absence)
        }
        if losses == Self.mostLosses || absence.remaining == .zero { throw error }
        guard deadline.remaining > .zero else {
          throw WyomingError.timedOut(address.description, deadline.limit)
        }
        try await Task.sleep(for: .milliseconds(50 << min(losses, 3)), clock: .continuous)
      }
    }
  }

  /// True if the idle program is the one at the end of that connection.
  private func takes(_ link: WyomingLink) -> Bool {
    state.withLock { state in
      guard state.idle === link else { return false }
      state.idle = nil
      return true
    }
  }

  /// Starts the program for the next exchange, unless one waits for it. Exchanges may end at the
  /// same time.
  private func prepare() {
    state.withLock { state in
      guard state.idle?.isOpen != true else { return }
      state.idle = try? WyomingLink(to: address)
    }
  }
}
