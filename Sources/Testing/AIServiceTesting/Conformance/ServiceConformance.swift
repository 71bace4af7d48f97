import AIServices
public import ConformanceTesting
import Foundation

/// Tries whether a provider does what every provider has to do, with a real server that misbehaves.
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
  /// Makes the provider that is tried.
  public typealias Maker = @Sendable (ServiceSurroundings) -> any AIServiceProvider

  let exchange: ServiceExchange
  let make: Maker

  /// A suite for that provider.
  public init(exchange: ServiceExchange, make: @escaping Maker) {
    self.exchange = exchange
    self.make = make
  }

  /// What speaks against the provider's keeping the law; `nil` if nothing does.
  ///
  /// - Throws: when the server cannot be started.
  public func objection(to law: ServiceLaw) async throws -> String? {
    let trial = try await ServiceTrial(self)
    defer { trial.server.stop() }
    return try await self.objection(to: law) { try await trial.run(law) }
  }
}
