import AIServices
public import ConformanceTesting
import Foundation

/// Tests whether a provider meets the requirements for all providers, with a real server that
/// misbehaves.
///
/// ```swift
/// @Test(arguments: ServiceLaw.allCases)
/// func `my provider keeps the law`(_ law: ServiceLaw) async throws {
///   let conformance = ServiceConformance(exchange: exchange) { MyProvider($0) }
///   let objection = try await conformance.objection(to: law)
///   #expect(objection == nil, "\(objection ?? "")")
/// }
/// ```
public struct ServiceConformance: ConformanceSuite {
  /// Creates the provider under test.
  public typealias Maker = @Sendable (ServiceTestContext) -> any AIServiceProvider

  let exchange: ServiceExchange
  let make: Maker

  /// Creates a suite for a provider.
  public init(exchange: ServiceExchange, make: @escaping Maker) {
    self.exchange = exchange
    self.make = make
  }

  /// Returns the reason why the provider violates a law; `nil` if it conforms.
  ///
  /// - Throws: an error if the server cannot be started.
  public func objection(to law: ServiceLaw) async throws -> String? {
    let trial = try await ServiceTrial(self)
    defer { trial.server.stop() }
    return try await self.objection(to: law) { try await trial.run(law) }
  }
}
