import AIServices
import Foundation

extension RecordedExchange.End {
  init(_ error: any Error) {
    self = error is CancellationError ? .cancelled : .failed(RecordedFailure(error))
  }
}

extension RecordedExchange.Request {
  init(_ request: HTTPRequest) {
    self.init(
      request.method.rawValue, request.url.absoluteString, headers: request.headers.recorded,
      body: request.body)
  }
}

extension HTTPHeaders {
  var recorded: [RecordedExchange.Field] { fields.map { .init($0.name, $0.value) } }

  init(_ fields: [RecordedExchange.Field]) {
    self.init()
    for field in fields { append(field.name, field.value) }
  }
}
