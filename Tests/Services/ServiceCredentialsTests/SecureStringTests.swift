import Foundation
import Testing

@testable import ServiceCredentials

struct SecureStringTests {
  @Test func `no description shows the secret`() {
    struct Holder {
      var secret: SecureString
    }
    let secret = SecureString("marked-secret")
    let entry = CredentialEntry(
      credential: AICredential(providerID: "p", type: .apiKey, name: "n"), value: secret)
    for value in [secret, [secret], ["k": secret], Holder(secret: secret), entry] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), String(describing: value), dumped] {
        #expect(!text.contains("marked"))
      }
    }
    #expect("\(secret)" == "••••")
    #expect(Mirror(reflecting: secret).children.isEmpty)
    #expect(Mirror(reflecting: secret).superclassMirror == nil)
    #expect(!((secret as Any) is any Encodable))
    #expect(secret.value == "marked-secret")
  }

  @Test func `clearing a secret zeroes its memory`() {
    let secret = SecureString("gone")
    // The memory belongs to the secret until it is released.
    let place = secret.withBytes { $0 }
    #expect(String(decoding: place, as: UTF8.self) == "gone")
    secret.clear()
    #expect(place.allSatisfy { $0 == 0 })
    #expect(secret.isEmpty)
    #expect(secret.value.isEmpty)
    secret.clear()
  }

  @Test func `a copy survives clearing the original`() {
    let secret = SecureString("kept")
    let copy = secret.copy()
    secret.clear()
    #expect(copy.value == "kept")
  }

  @Test(arguments: [
    ("a", "a", true), ("a", "b", false), ("a", "aa", false), ("", "", true), ("ä€😀", "ä€😀", true),
  ])
  func `secrets are equal when their bytes are`(one: String, other: String, isEqual: Bool) {
    #expect((SecureString(one) == SecureString(other)) == isEqual)
    let secret = SecureString(one)
    #expect(secret == secret)
  }

  @Test func `secrets may have any length`() {
    for count in [0, 1, 15, 16, 4_095, 4_096, 4_097, 100_000] {
      let text = String(repeating: "x", count: count)
      #expect(SecureString(text).value == text)
      #expect(SecureString(text).isEmpty == (count == 0))
    }
  }

  @Test func `concurrent comparing, reading and clearing is safe`() async {
    let one = SecureString("one")
    let other = SecureString("one")
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          _ = number.isMultiple(of: 2) ? one == other : other == one
          _ = one.value
          if number == 90 { one.clear() }
        }
      }
    }
    #expect(one.isEmpty)
  }

  @Test func `the memory is excluded from core dumps and child processes`() throws {
    let secret = SecureString("hidden")
    let address = secret.withBytes { UInt(bitPattern: $0.baseAddress) }
    // In pieces, because the size of the file is unknown.
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps"))
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    var isHere = false
    var flags: Substring?
    for line in text.split(separator: "\n") {
      let bounds = line.prefix { $0 != " " }.split(separator: "-")
        .compactMap { UInt($0, radix: 16) }
      if bounds.count == 2 { isHere = bounds[0] <= address && address < bounds[1] }
      if isHere, line.hasPrefix("VmFlags:") { flags = line }
    }
    withExtendedLifetime(secret) {}
    let found = try #require(flags)
    #expect(found.contains(" dd"))
    #expect(found.contains(" wf"))
  }
}
