import AIServices
import Testing

struct SecureStringTests {
  @Test func `a secret does not show in any print-out`() {
    let secret = SecureString("marked-secret")
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped] {
      #expect(!text.contains("marked"))
    }
    #expect(secret.value == "marked-secret")
  }

  @Test func `a cleared secret is gone`() {
    let secret = SecureString("gone")
    secret.clear()
    #expect(secret.isEmpty)
    #expect(!secret.value.contains("gone"))
  }
}
