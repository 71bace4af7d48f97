import AIServiceTesting
import Foundation
import Testing

@testable import AIServices

struct ServiceEndpointTests {
  private static let joined: [(base: String, path: String, url: String)] = [
    ("https://api.openai.com/v1", "chat/completions", "https://api.openai.com/v1/chat/completions"),
    (
      "https://api.openai.com/v1/", "chat/completions", "https://api.openai.com/v1/chat/completions"
    ),
    ("https://api.openai.com/v1/", "/chat", "https://api.openai.com/v1/chat"),
    ("https://api.anthropic.com", "v1/messages", "https://api.anthropic.com/v1/messages"),
    ("https://api.anthropic.com/", "/v1/messages", "https://api.anthropic.com/v1/messages"),
    ("http://localhost:11434/v1", "models", "http://localhost:11434/v1/models"),
    ("https://gate.example/a/b/v1", "x", "https://gate.example/a/b/v1/x"),
    ("HTTPS://Host.Example/V1", "x", "HTTPS://Host.Example/V1/x"),
    ("https://h/v1?tenant=a+b", "x", "https://h/v1/x?tenant=a%2Bb"),
    ("http://[::1]:8080/v1", "x", "http://[::1]:8080/v1/x"),
    ("https://h/a%2Fb", "c%2Fd e", "https://h/a%2Fb/c%2Fd%20e"),
    ("https://h/v1", "x?y#z", "https://h/v1/x%3Fy%23z"),
  ]

  @Test(arguments: joined)
  func `paths are joined without doubling or dropping anything`(
    _ base: String, _ path: String, _ url: String
  ) throws {
    #expect(try ServiceEndpoint(baseURL: base).url(path: path).absoluteString == url)
  }

  @Test func `the endpoint's query precedes the call's, both escaped`() throws {
    let endpoint = ServiceEndpoint(
      baseURL: "https://h/v1?a=1", query: ["z": "&=", "api-version": "2024-10-21"])
    #expect(
      try endpoint.url(path: "x", query: [("q", "ü /?"), ("q", "2+2")]).absoluteString
        == "https://h/v1/x?a=1&api-version=2024-10-21&z=%26%3D&q=%C3%BC%20/?&q=2%2B2")
  }

  @Test(arguments: [
    "", "api.openai.com/v1", "ftp://h/v1", "data:text/plain,x", "file:///etc/passwd", "https://",
    "https:///v1", "http://h ost/v1", "https://h/v1#part", "https://user@h/v1",
    "https://user:swordfish@h/v1", "ftp://user:swordfish@h/", "https://user:swordfish@h:port/",
  ])
  func `an invalid address is refused without showing a password`(
    _ base: String
  ) {
    #expect {
      try ServiceEndpoint(baseURL: base).url(path: "x")
    } throws: { error in
      guard case AIServiceError.configurationError(let text) = error else { return false }
      return !text.contains("swordfish")
    }
    let provider = OpenAIProvider(baseURL: base)
    #expect(!provider.isConfigured())
    #expect(throws: AIServiceError.self) { try provider.validateConfiguration() }
  }

  @Test(arguments: [
    "../../admin", "..", ".", "", "a/b", "a\\b", "a?b", "a#b", "a\0b", "a\r\nb", "%2e%2e", "~root",
    String(repeating: "x", count: 4_096), "-rf", "$(id)", "ü/..",
  ])
  func `an external name is one segment and cannot leave it`(_ name: String) throws {
    let segment = ServiceEndpoint.segment(name)
    let url = try ServiceEndpoint(baseURL: "https://h/v1").url(path: "voices/\(segment)/stream")
    #expect(url.absoluteString.hasPrefix("https://h/v1/voices/"))
    #expect(url.absoluteString.hasSuffix("/stream"))
    let segments = url.absoluteString.dropFirst("https://h".count).split(
      separator: "/", omittingEmptySubsequences: false)
    #expect(segments.count == 5)
    #expect(!segments.contains("..") && !segments.contains("."))
    #expect(url.absoluteString.utf8.allSatisfy { (0x21...0x7E).contains($0) })
  }
}
