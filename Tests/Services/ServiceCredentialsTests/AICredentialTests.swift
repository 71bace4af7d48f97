import Foundation
import ServiceCredentials
import Testing

struct AICredentialTests {
  @Test func `a credential survives encoding and decoding`() throws {
    let credential = AICredential(
      providerID: "openai", type: .oauthToken, name: "Production", description: "for the shop",
      expiresAt: Date(timeIntervalSince1970: 2_000_000_000), metadata: ["scope": "read"])
    let data = try JSONEncoder().encode(credential)
    #expect(try JSONDecoder().decode(AICredential.self, from: data) == credential)
    #expect(String(decoding: data, as: UTF8.self).contains("oauth_token"))
  }

  @Test func `a credential expires at its date`() {
    func credential(_ seconds: Double?) -> AICredential {
      AICredential(
        providerID: "p", type: .apiKey, name: "n",
        expiresAt: seconds.map { Date(timeIntervalSinceNow: $0) })
    }
    #expect(!credential(nil).isExpired)
    #expect(credential(nil).isValid)
    #expect(credential(-1).isExpired)
    #expect(!credential(-1).isValid)
    #expect(!credential(3_600).isExpired)
  }

  @Test(arguments: [
    ("sk-1", "sk-1"), ("  sk-1\r\n", "sk-1"), ("\tsk 1 ", "sk 1"), ("x", "x"), ("~!\"", "~!\""),
  ])
  func `white space around a key is removed`(given: String, kept: String) throws {
    #expect(try AICredentialValidator.validated(SecureString(given)).value == kept)
  }

  @Test(arguments: [
    "", " ", "\n\r\t", "canary\nX-Evil: 1", "canary\r\n", "canary\0", "can\u{7F}ary", "canäry",
    "“canary”", "canary\u{200B}", "\u{FEFF}canary", String(repeating: "canary", count: 20_000),
  ])
  func `an invalid key is refused without being shown`(given: String) throws {
    // Line breaks at the end are removed.
    guard given != "canary\r\n" else {
      #expect(try AICredentialValidator.validated(SecureString(given)).value == "canary")
      return
    }
    for type in [AICredentialType.apiKey, .oauthToken] {
      let error = try #require(throws: AICredentialError.self) {
        _ = try AICredentialValidator.validated(SecureString(given), type: type)
      }
      guard case .invalidFormat(let text) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(!text.contains("can") || text.contains("cannot"))
    }
  }

  @Test func `a certificate may contain line breaks and any text`() throws {
    let text = "-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----"
    for type in [AICredentialType.certificate, .custom] {
      #expect(
        try AICredentialValidator.validated(SecureString(text + "\n"), type: type).value == text)
      #expect(throws: AICredentialError.self) {
        _ = try AICredentialValidator.validated(SecureString("a\0b"), type: type)
      }
      let bytes: [UInt8] = [0x61, 0xFF, 0x62]
      let secret = bytes.withUnsafeBytes { SecureString(bytes: $0) }
      #expect(throws: AICredentialError.self) {
        _ = try AICredentialValidator.validated(secret, type: type)
      }
    }
  }

  @Test(arguments: [
    ("sk-canary", "openai", false), ("canary", "openai", true), ("sk-ant-canary", "openai", true),
    ("sk-ant-canary", "anthropic", false), ("canary", "anthropic", true),
    ("canary", "elevenlabs", true), (String(repeating: "c", count: 32), "elevenlabs", false),
    ("canary", "my-gateway", false), ("can ary", "my-gateway", true),
    ("'canary'", "my-gateway", true),
  ])
  func `an unexpected key format only causes a hint`(key: String, providerID: String, isOdd: Bool)
    throws
  {
    let warning = AICredentialValidator.warning(for: SecureString(key), providerID: providerID)
    #expect((warning != nil) == isOdd)
    #expect(warning?.contains("ary") != true)
    _ = try AICredentialValidator.validated(SecureString(key))
  }

  @Test(arguments: ["", "a\nb", "\0", String(repeating: "x", count: 201)])
  func `an invalid provider's name is refused`(name: String) {
    #expect(throws: AICredentialError.self) {
      _ = try CredentialID(providerID: name, type: .apiKey)
    }
  }
}
