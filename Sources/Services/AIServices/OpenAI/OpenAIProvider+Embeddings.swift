import Foundation

extension OpenAIProvider: EmbeddingService {
  private struct Body: Encodable {
    var model: String
    var input: [String]
    var dimensions: Int?
  }

  private struct Answer: Decodable {
    struct Entry: Decodable {
      var index: Int?
      var embedding: Vector
    }

    struct Usage: Decodable {
      var promptTokens: Int?

      enum CodingKeys: String, CodingKey { case promptTokens = "prompt_tokens" }
    }

    var data: [Entry]
    var usage: Usage?
  }

  /// An embedding as a list of numbers or as base64: servers send either, whatever was requested.
  private struct Vector: Decodable {
    var values: [Float]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let values = try? container.decode([Float].self) {
        self.values = values
      } else {
        guard let bytes = Data(base64Encoded: try container.decode(String.self)),
          bytes.count.isMultiple(of: 4)
        else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base 64")
        }
        values = stride(from: 0, to: bytes.count, by: 4).map { offset in
          let bits = (0..<4).reduce(UInt32(0)) {
            $0 | UInt32(bytes[bytes.startIndex + offset + $1]) << (8 * $1)
          }
          return Float(bitPattern: bits)
        }
      }
    }
  }

  /// Computes the embeddings of texts.
  public func embed(_ request: EmbeddingRequest) async throws -> EmbeddingReply {
    guard !request.texts.isEmpty else { return EmbeddingReply(vectors: []) }
    let model = request.model ?? configuration.embeddingModel
    let answer: Answer = try await client.json(
      for: .post(
        "embeddings",
        json: Body(model: model, input: request.texts, dimensions: request.dimensions),
        model: model))
    guard answer.data.count == request.texts.count else {
      throw AIServiceError.unexpectedResponseFormat(
        "\(displayName) returned \(answer.data.count) embeddings for \(request.texts.count) texts."
      )
    }
    let usage = ServiceUsage(requests: 1, inputTokens: answer.usage?.promptTokens ?? 0)
    client.record(usage, model: model)
    let ordered = answer.data.enumerated().sorted {
      ($0.element.index ?? $0.offset) < ($1.element.index ?? $1.offset)
    }
    return EmbeddingReply(vectors: ordered.map(\.element.embedding.values), usage: usage)
  }
}
