import AIServices
import Foundation

/// Masks the secrets in recorded traffic.
struct TrafficMask {
  private let headers: SecretNames
  private let named: NamedSecrets
  private let values: SecretMask

  /// Creates a mask for known secrets besides those that the caller named.
  init(_ secrets: TrafficSecrets, knowing values: [SecureString]) {
    headers = SecretNames(secrets.headers)
    let members = SecretNames(secrets.members)
    named = NamedSecrets(
      members: members, parameters: SecretNames(secrets.parameters))
    self.values = SecretMask(secrets.values + values)
  }

  /// Returns the values of header fields and addresses whose names suggest a secret, to be masked
  /// elsewhere too.
  ///
  /// Members are not included: a `token` may be an ordinary word.
  static func values(
    in request: RecordedExchange.Request, _ secrets: TrafficSecrets,
    answer: RecordedExchange.Answer? = nil
  ) -> [SecureString] {
    let names = SecretNames(secrets.headers)
    var found: [Substring] = []
    for field in request.headers + (answer?.headers ?? [])
    where names.contains(field.name) {
      if field.name.lowercased().hasSuffix("cookie") {
        found += field.value.split(separator: ";").compactMap {
          $0.split(separator: "=", maxSplits: 1).last
        }
      } else if let last = field.value.split(separator: " ").last {
        // `Bearer` and the like are not part of the secret.
        found.append(last)
      }
    }
    let parameters = SecretNames(secrets.parameters.union(secrets.members))
    for item in URLComponents(string: request.url)?.queryItems ?? []
    where parameters.contains(item.name) {
      found.append(Substring(item.value ?? ""))
    }
    // Short values would occur in ordinary words.
    return found.filter { $0.utf8.count >= 8 && !$0.contains(SecureString.mask) }
      .map { SecureString(String($0)) }
  }

  /// Returns the secrets with which a client joins a session of Socket.IO or a channel of Phoenix,
  /// where a `token` is not an ordinary word.
  static func values(in socket: RecordedSocket, _ secrets: TrafficSecrets) -> [SecureString] {
    let named = NamedSecrets(
      members: SecretNames(secrets.members), parameters: SecretNames(secrets.parameters))
    let greetings = socket.sent.compactMap { message -> [UInt8]? in
      guard case .text(let text) = message, text.hasPrefix("40") || text.contains("\"phx_join\"")
      else { return nil }
      return Array(text.utf8)
    }
    let found = greetings.flatMap { bytes in
      named.places(in: bytes, isForm: false).filter { !$0.isNumber && $0.range.count >= 8 }.map {
        SecureString(Self.plain(bytes[$0.range]))
      }
    }
    return values(in: socket.request, secrets) + found
  }

  /// Decodes the content of a JSON string.
  private static func plain(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return (try? JSONDecoder().decode(String.self, from: Data("\"\(text)\"".utf8))) ?? text
  }

  /// Returns the exchange without secrets.
  func masked(_ exchange: RecordedExchange) -> RecordedExchange {
    var exchange = exchange
    exchange.request = masked(exchange.request)
    if let answer = exchange.answer { exchange.answer?.headers = masked(answer.headers) }
    exchange.pieces = masked(exchange.pieces)
    if case .failed(var failure) = exchange.end {
      failure.detail = masked(failure.detail)
      exchange.end = .failed(failure)
    }
    return exchange
  }

  /// Returns the WebSocket without secrets.
  func masked(_ socket: RecordedSocket) -> RecordedSocket {
    var socket = socket
    socket.request = masked(socket.request)
    if let chosen = socket.opening?.subprotocol { socket.opening?.subprotocol = masked(chosen) }
    for index in socket.events.indices {
      socket.events[index].kind =
        switch socket.events[index].kind {
        case .sent(let message): .sent(masked(message))
        case .received(let message): .received(masked(message))
        case .closing(let close): .closing(masked(close))
        }
    }
    switch socket.end {
    case .closed(let close): socket.end = .closed(masked(close))
    case .refused(let refusal):
      socket.end = .refused(
        WebSocketHandshakeError(
          status: refusal.status, body: masked(refusal.body), retryAfter: refusal.retryAfter))
    case .failed(var failure):
      failure.detail = masked(failure.detail)
      socket.end = .failed(failure)
    case .cancelled, .abandoned: break
    }
    return socket
  }

  /// Returns the message without secrets.
  func masked(_ message: WebSocketMessage) -> WebSocketMessage {
    switch message {
    case .text(let text): .text(masked(text))
    case .binary(let data): .binary(masked([data], isForm: false)[0])
    }
  }

  private func masked(_ close: WebSocketClose) -> WebSocketClose {
    WebSocketClose(code: close.code, reason: masked(close.reason))
  }

  /// Returns the request without secrets.
  func masked(_ request: RecordedExchange.Request) -> RecordedExchange.Request {
    let isForm =
      request.header("Content-Type")?.lowercased()
      .hasPrefix("application/x-www-form-urlencoded") ?? false
    var masked = request
    masked.url = self.masked(request.url)
    masked.headers = self.masked(request.headers)
    masked.body = request.body.map { self.masked([$0], isForm: isForm)[0] }
    return masked
  }

  private func masked(_ fields: [RecordedExchange.Field]) -> [RecordedExchange.Field] {
    fields.map { field in
      .init(
        masked(field.name),
        headers.contains(field.name) ? SecureString.mask : masked(field.value))
    }
  }

  private func masked(_ text: String) -> String {
    String(decoding: masked([Data(text.utf8)], isForm: false)[0], as: UTF8.self)
  }

  /// Masks all pieces together, because a secret may span two. Pieces that become empty are
  /// removed, and their time is added to the next.
  private func masked(_ pieces: [RecordedExchange.Piece]) -> [RecordedExchange.Piece] {
    let bytes = masked(pieces.map(\.bytes), isForm: false)
    var result: [RecordedExchange.Piece] = []
    var waited = Duration.zero
    for (index, piece) in pieces.enumerated() {
      waited += piece.after
      if bytes[index].isEmpty, !piece.bytes.isEmpty, index + 1 < pieces.count { continue }
      result.append(.init(bytes[index], after: waited))
      waited = .zero
    }
    return result
  }

  private func masked(_ pieces: [Data], isForm: Bool) -> [Data] {
    let whole = pieces.reduce(into: [UInt8]()) { $0 += $1 }
    var rest = hidden(in: whole, isForm: isForm)[...]
    guard !rest.isEmpty else { return pieces }
    var start = 0
    return pieces.map { piece in
      let end = start + piece.count
      defer { start = end }
      var masked = Data()
      var index = start
      rest = rest.drop { $0.range.upperBound <= start }
      for place in rest.prefix(while: { $0.range.lowerBound < end }) {
        // The mask is in the piece in which the secret begins.
        if place.range.lowerBound >= start {
          masked += whole[index..<place.range.lowerBound]
          masked += place.mask.utf8
        }
        index = min(end, place.range.upperBound)
      }
      return masked + whole[index..<end]
    }
  }

  private func hidden(in bytes: [UInt8], isForm: Bool) -> [(range: Range<Int>, mask: String)] {
    let readings = EscapedBytes.readings(of: bytes)
    var ranges = values.ranges(in: readings)
    var numbers: Set<Range<Int>> = []
    // Names are meaningful only in text. Text contains no zero byte; binary data soon does.
    if !bytes.contains(0) {
      for reading in readings {
        for place in named.places(in: reading.bytes, isForm: isForm) {
          let range = reading.original(place.range)
          ranges.append(range)
          if place.isNumber { numbers.insert(range) }
        }
      }
    }
    return SecretMask.merged(ranges).map { ($0, numbers.contains($0) ? "0" : SecureString.mask) }
  }
}
