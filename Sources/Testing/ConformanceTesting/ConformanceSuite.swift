import Foundation
import SpeechConcurrency

/// A suite of laws that every type conforming to a protocol has to keep.
///
/// ```swift
/// try await VoiceEngineConformance(MyVoice(), configuration: .init()).run()
/// ```
/// or a test for each law:
/// ```swift
/// @Test(arguments: VoiceEngineLaw.allCases)
/// func `my voice keeps the law`(_ law: VoiceEngineLaw) async throws {
///   let suite = VoiceEngineConformance(MyVoice(), configuration: .init())
///   let objection = try await suite.objection(to: law)
///   #expect(objection == nil, "\(objection ?? "")")
/// }
/// ```
public protocol ConformanceSuite: Sendable {
  /// The laws of the protocol.
  associatedtype Law: RawRepresentable<String>, CaseIterable, Sendable

  /// Tries a law, and returns the reason why it is not kept, or `nil` if it is kept.
  ///
  /// - Throws: an error if the law could not be tried.
  func objection(to law: Law) async throws -> String?
}

extension ConformanceSuite {
  /// Tries all laws, one after the other.
  ///
  /// - Throws: `ConformanceFailure` if laws are not kept; errors of `objection(to:)`.
  public func run() async throws {
    var objections: [String] = []
    for law in Law.allCases {
      if let objection = try await objection(to: law) { objections.append(objection) }
    }
    if !objections.isEmpty { throw ConformanceFailure(objections: objections) }
  }

  /// Runs a trial that throws a `ConformanceObjection` if the law is not kept.
  package func objection(
    to law: Law, _ trial: () async throws -> Void
  ) async throws -> String? {
    do {
      try await trial()
      return nil
    } catch let objection as ConformanceObjection {
      return "\(law.rawValue): \(objection.text)"
    }
  }

  /// Throws an objection unless the condition holds.
  package func require(
    _ isKept: Bool, _ text: @autoclosure () -> String
  ) throws(ConformanceObjection) {
    guard isKept else { throw ConformanceObjection(text()) }
  }

  /// Requires that repeated work leaves no descriptors and no threads.
  package func requireNothingLeft(
    afterTimes count: Int, _ work: () async throws -> Void
  ) async throws {
    // Loads everything that is loaded once.
    for _ in 0..<3 { try await work() }
    let before = ProcessHoldings.now()
    for _ in 0..<count { try await work() }
    let after = ProcessHoldings.settled(since: before, within: .seconds(10), spare: 2)
    try require(
      after.isNoMore(than: before, spare: 2),
      "after \(count) times there is \(after), before \(before)")
  }

  /// Requires that an object is deallocated. Work in progress may hold it for a moment.
  @MainActor package func requireRelease(of object: () -> AnyObject?) async throws {
    let end = ContinuousClock.now + .seconds(10)
    while object() != nil, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(5))
    }
    try require(object() == nil, "it is not deallocated when its last owner releases it")
  }
}

/// An error that lists the laws that are not kept.
public struct ConformanceFailure: Error, LocalizedError, Sendable, Equatable {
  /// The reasons, each with the name of its law in front.
  public var objections: [String]

  /// The reasons, one per line.
  public var errorDescription: String? { objections.joined(separator: "\n") }
}

/// The reason why a law is not kept.
package struct ConformanceObjection: Error {
  package let text: String

  package init(_ text: String) { self.text = text }
}

/// A time limit in real time, because work on trial may never end.
package enum ConformanceTimeout {
  /// Returns the result of the work; cancels it and returns `nil` if it takes longer than the
  /// limit.
  package static func wait<Value: Sendable>(
    _ limit: Duration = .seconds(60), for work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    // Not a task group, which would wait for work that ignores cancellation.
    let result = FirstResult<Value?>()
    let task = Task {
      do {
        result.give(.success(try await work()))
      } catch {
        result.give(.failure(error))
      }
    }
    let timer = Task {
      try await Task.sleep(for: limit)
      result.give(.success(nil))
    }
    defer {
      timer.cancel()
      task.cancel()
    }
    return try await result.value()
  }
}
