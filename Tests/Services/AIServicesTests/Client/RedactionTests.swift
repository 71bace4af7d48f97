import AIServiceTesting
import Foundation
import Testing

@testable import AIServices

struct RedactionTests {
  private static let key = "sk-proj-Ab9/+=_-canary-0123456789"

  private func shown(_ text: String) -> String {
    Redaction.shown(text, hiding: [SecureString(Self.key)])
  }

  private static let base64 = Data(key.utf8).base64EncodedString()
  private static let percent =
    key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""

  @Test(arguments: [
    key, "Bearer \(key)!", "\(key)\(key)", base64, percent, String(key.prefix(12)),
    String(key.suffix(10)), String(key.dropFirst(5).prefix(8)), "x=\(percent)&y=\(base64)",
  ])
  func `the key is masked: whole, in parts and encoded`(_ text: String) {
    let shown = shown("The key is \(text), they say.")
    #expect(shown.contains(SecureString.mask))
    #expect(shown.hasPrefix("The key is "))
    #expect(shown.hasSuffix(", they say."))
    for form in [Self.key, Self.base64, Self.percent] {
      for start in form.indices.dropLast(7) {
        #expect(!shown.contains(form[start...].prefix(8)))
      }
    }
  }

  @Test func `text that only resembles the key stays`() {
    #expect(shown("sk-proj is how keys begin.") == "sk-proj is how keys begin.")
    #expect(Redaction.shown("Nothing to hide.", hiding: []) == "Nothing to hide.")
    #expect(Redaction.shown("Nothing to hide.", hiding: [SecureString("")]) == "Nothing to hide.")
  }

  @Test func `a short key is masked if it appears whole`() {
    #expect(
      Redaction.shown("The key abc is bad.", hiding: [SecureString("abc")])
        == "The key •••• is bad.")
  }

  @Test func `a quotation is short and on one line`() {
    #expect(shown("a\r\nb\u{1B}[31m\t\tc\0") == "a b [31m c")
    #expect(shown(String(repeating: "x", count: 5_000)).count == 301)
  }

  @Test func `a long text is searched quickly`() {
    let text = String(repeating: "sk-proj- no key ", count: 4_000)
    #expect(!shown(text + Self.key).contains("canary"))
  }

  @Test func `several keys are all masked`() {
    let shown = Redaction.shown(
      "one-secret-1111, then two-secret-2222",
      hiding: [SecureString("one-secret-1111"), SecureString("two-secret-2222")])
    #expect(shown == "••••, then ••••")
  }
}
