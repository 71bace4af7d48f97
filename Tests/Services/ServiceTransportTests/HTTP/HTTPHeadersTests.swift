import ServiceCredentials
import ServiceTransport
import Testing

struct HTTPHeadersTests {
  @Test func `no description shows a secret header`() {
    struct Holder {
      var headers: HTTPHeaders
    }
    var headers = HTTPHeaders()
    headers.setSecret("Authorization", SecureString("marked-secret"), prefix: "Bearer ")
    for value in [headers, Holder(headers: headers)] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), String(describing: value), dumped] {
        #expect(!text.contains("marked"))
      }
    }
    #expect(headers["authorization"] == SecureString.mask)
  }
}
