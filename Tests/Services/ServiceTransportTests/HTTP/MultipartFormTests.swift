import Foundation
import ServiceTransport
import TestSupport
import Testing

struct MultipartFormTests {
  @Test func `a form has the documented encoding`() {
    var form = MultipartForm()
    form.append("model", "whisper-1")
    form.append("timestamp_granularities[]", "word")
    form.append("file", file: Data("RIFF".utf8), named: "speech.wav", contentType: "audio/wav")
    let (contentType, body) = form.encoded(boundary: "b")
    #expect(contentType == "multipart/form-data; boundary=b")
    #expect(
      String(decoding: body, as: UTF8.self) == """
        --b\r
        Content-Disposition: form-data; name="model"\r
        \r
        whisper-1\r
        --b\r
        Content-Disposition: form-data; name="timestamp_granularities[]"\r
        \r
        word\r
        --b\r
        Content-Disposition: form-data; name="file"; filename="speech.wav"\r
        Content-Type: audio/wav\r
        \r
        RIFF\r
        --b--\r\n
        """)
  }

  @Test func `names cannot escape from their quotes`() {
    var form = MultipartForm()
    form.append(
      "a\"\r\nX-Injected: 1", file: Data(), named: "my \"best\"\r\n voice.wav",
      contentType: "audio/wav\r\nX-Injected: 2")
    let text = String(decoding: form.encoded(boundary: "b").body, as: UTF8.self)
    #expect(
      text.contains(#"name="a%22%0D%0AX-Injected: 1"; filename="my %22best%22%0D%0A voice.wav""#))
    #expect(text.contains("Content-Type: audio/wavX-Injected: 2\r\n"))
    #expect(!text.contains("\nX-Injected"))
  }

  @Test func `every form gets its own boundary by default`() {
    let form = MultipartForm()
    #expect(form.encoded().contentType != form.encoded().contentType)
  }

  @Test func `a form survives encoding and parsing`() throws {
    var random = SplitMix(seed: 99)
    for _ in 0..<2_000 {
      var form = MultipartForm()
      var expected: [Data] = []
      for number in 0..<Int(random.next() % 5) {
        // Contents that resemble boundaries, and bytes of all kinds.
        let content = Data(
          (0..<Int(random.next() % 40)).flatMap { _ -> [UInt8] in
            switch random.next() % 4 {
            case 0:
              [UInt8](["b", "--b", "\r\n--b", "b-1", "--b--\r\n"][Int(random.next() % 5)].utf8)
            case 1: [UInt8("-\r\nb1".utf8.randomElement(using: &random) ?? 0)]
            default: [UInt8(truncatingIfNeeded: random.next())]
            }
          })
        form.append("f\(number)", file: content, named: "n", contentType: "audio/wav")
        expected.append(content)
      }
      let (contentType, body) = form.encoded(boundary: "b")
      #expect(try contents(of: body, contentType) == expected)
    }
  }

  /// Splits at the boundary, without regard to lengths.
  private func contents(of body: Data, _ contentType: String) throws -> [Data] {
    let boundary = try #require(contentType.split(separator: "boundary=").last)
    let separator = Data("\r\n--\(boundary)".utf8)
    var rest = Data("\r\n".utf8) + body
    var contents: [Data] = []
    while let range = rest.range(of: separator) {
      contents.append(rest[..<range.lowerBound])
      rest = Data(rest[range.upperBound...])
    }
    try #require(rest == Data("--\r\n".utf8))
    return try contents.dropFirst().map { part in
      let head = try #require(part.range(of: Data("\r\n\r\n".utf8)))
      return Data(part[head.upperBound...])
    }
  }
}
