import AIServices
import Foundation

/// A provider with binary responses, with the method that the specification prints for it.
final class BinaryProvider: BaseHTTPProvider, @unchecked Sendable {
  // Unchecked because the base class is; there is no other state.

  func speak(_ text: String) async throws -> Data {
    try await postForData(endpoint: "sound", headers: ["X-Own": "1"], body: ["a/b": text])
  }

  private func postForData<Request: Encodable>(
    endpoint: String,
    headers: [String: String],
    body: Request
  ) async throws -> Data {
    try await data(posting: body, to: endpoint, headers: headers)
  }
}
