import Foundation
import SpeechConcurrency

/// What a protocol promises, as laws that can be tried on whatever conforms to it.
///
/// ```swift
/// try await VoiceEngineConformance(MyVoice(), configuration: .init()).run()
/// ```
/// or a test for each law:
/// ```swift
/// @Test(arguments: VoiceEngineLaw.allCases)
/// func `my voice keeps the law`(_ law: VoiceEngineLaw) async throws {
///   let objection = try await VoiceEngineConformance(MyVoice(), configuration: .init()).objection(to: law)
///   #expect(objection == nil, "\(objection ?? "")")
/// }
/// ```
public protocol ConformanceSuite: Sendable {
  /// What is promised.
  associatedtype Law: RawRepresentable<String>, CaseIterable, Sendable

  /// What speaks against the law's being kept; `nil` if nothing does.
  ///
  /// - Throws: when it could not be tried.
  func objection(to law: Law) async throws -> String?
}

extension ConformanceSuite {
  /// Tries all laws, one after the other.
  ///
  /// - Throws: `ConformanceFailure` with all that speaks against; what `objection(to:)` throws.
  public func run() async throws {
    var objections: [String] = []
    for law in Law.allCases {
      if let objection = try await objection(to: law) { objections.append(objection) }
    }
    if !objections.isEmpty { throw ConformanceFailure(objections: objections) }
  }

  /// Runs a trial that objects by throwing.
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
}

/// Laws that are not kept.
public struct ConformanceFailure: Error, LocalizedError, Sendable, Equatable {
  /// Each with the name of its law before it.
  public var objections: [String]

  /// A line for each.
  public var errorDescription: String? { objections.joined(separator: "\n") }
}

/// What speaks against a law's being kept.
package struct ConformanceObjection: Error {
  package let text: String

  package init(_ text: String) { self.text = text }

  /// Objects unless that holds.
  package static func unless(
    _ isKept: Bool, _ text: @autoclosure () -> String
  ) throws(ConformanceObjection) {
    guard isKept else { throw ConformanceObjection(text()) }
  }
}

/// Waits for something at most so long, in real time, because what is on trial may never end.
package enum ConformancePatience {
  /// What the work gives; `nil` if it takes longer, and is cancelled then.
  package static func wait<Value: Sendable>(
    _ limit: Duration = .seconds(60), for work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    // Not a group, which would wait for work that does not obey.
    let task = Task { try await work() }
    let outcome = Guarded<CheckedContinuation<Result<Value, any Error>?, Never>?>(nil)
    @Sendable func end(_ result: Result<Value, any Error>?) {
      outcome.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }?.resume(returning: result)
    }
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, any Error>?, Never>) in
      outcome.withLock { $0 = continuation }
      Task { end(await task.result) }
      Task {
        try? await Task.sleep(for: limit)
        end(nil)
      }
    }
    guard let result else {
      task.cancel()
      return nil
    }
    return try result.get()
  }
}
