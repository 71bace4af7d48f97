import CGLib
import Foundation

/// What the Secret Service is asked in one request, on the queue of the calls.
///
/// A credential is an item with three attributes, which the service keeps in clear: the provider, the type,
/// and what is known of the credential as JSON. A change makes a new item and then removes those that were
/// there before, so that a process that is killed in between leaves both, of which the newer counts.
///
/// Calls throw `SecretServiceProblem` when the service fails, and `Cancelled`.
struct SecretServiceSession {
  /// The call was broken off.
  struct Cancelled: Error {}

  private static let searchAll: CInt = 1 << 1
  private static let searchUnlock: CInt = 1 << 2

  let connection: SecretServiceConnection
  let cancellation: CallCancellation

  private var library: LibSecret { connection.library }

  /// The secret, if it is there; asks for the keyring's password if need be.
  func entry(for id: CredentialID) throws -> CredentialEntry? {
    let items = try items(about: id, flags: Self.searchAll | Self.searchUnlock)
    return try items.first.map { try entry(of: $0) }
  }

  /// What is known of all secrets; asks for no password.
  func list() throws -> [AICredential] {
    var known: Set<CredentialID> = []
    return try items(about: nil, flags: Self.searchAll).map(\.credential).filter { credential in
      try known.insert(CredentialID(credential)).inserted
    }
  }

  /// Puts what the body makes of the present entry in its place.
  func change(
    _ id: CredentialID, _ body: (CredentialEntry?) throws -> CredentialEntry?
  ) throws {
    let old = try items(about: id, flags: Self.searchAll | Self.searchUnlock)
    let new = try body(old.first.map { try entry(of: $0) })
    guard let new else {
      if !old.isEmpty { try remove(AttributeTable(Self.attributes(of: id))) }
      return
    }
    let description = try Self.description(of: new.credential)
    try store(new, AttributeTable(Self.attributes(of: id, description)))
    for item in old {
      guard let oldDescription = item.description, oldDescription != description else { continue }
      try remove(AttributeTable(Self.attributes(of: id, oldDescription)))
    }
  }

  /// An item of the service.
  private struct Item {
    let object: OwnedObject
    let credential: AICredential
    /// The attribute that tells it from other items about the same; `nil` where somebody else made it.
    let description: String?
  }

  /// The items about that secret, or about all; the newest first.
  private func items(about id: CredentialID?, flags: CInt) throws -> [Item] {
    let wanted = AttributeTable(id.map { Self.attributes(of: $0) } ?? [:])
    let list = try call {
      library.search(library.schema, wanted.table, flags, cancellation.object, $0)
    }
    defer { g_list_free(list) }
    var objects: [OwnedObject] = []
    var node = list
    while let current = node {
      if let data = current.pointee.data { objects.append(OwnedObject(taking: data, library)) }
      node = current.pointee.next
    }
    return try objects.compactMap(item).sorted { $0.credential.updatedAt > $1.credential.updatedAt }
  }

  /// `nil` for what is no credential.
  private func item(_ object: OwnedObject) throws -> Item? {
    guard let table = library.attributes(object.pointer) else { return nil }
    defer { g_hash_table_unref(table) }
    func attribute(_ name: String) -> String? {
      g_hash_table_lookup(table, name).map {
        String(cString: $0.assumingMemoryBound(to: CChar.self))
      }
    }
    guard let providerID = attribute("provider"),
      let type = attribute("type").flatMap(AICredentialType.init),
      let id = try? CredentialID(providerID: providerID, type: type)
    else { return nil }
    let description = attribute("credential")
    if let description, let credential = Self.credential(described: description),
      credential.isAbout(id)
    {
      return Item(object: object, credential: credential, description: description)
    }
    let label = library.label(object.pointer)
    defer { g_free(label) }
    let date = Date(timeIntervalSince1970: Double(library.modified(object.pointer)))
    let credential = AICredential(
      found: id, in: "secret-service", name: label.map { String(cString: $0) } ?? providerID,
      at: date)
    return Item(object: object, credential: credential, description: description)
  }

  private func entry(of item: Item) throws -> CredentialEntry {
    let value = try call { library.secret(item.object.pointer, cancellation.object, $0) }
    guard let value else {
      throw AICredentialError.storeLocked(
        "The Secret Service did not give the secret out. Unlock the keyring and try again.")
    }
    defer { library.releaseValue(value) }
    var count: gsize = 0
    let bytes = library.bytes(value, &count)
    return CredentialEntry(
      credential: item.credential,
      value: SecureString(bytes: UnsafeRawBufferPointer(start: bytes, count: Int(count))))
  }

  private func store(_ entry: CredentialEntry, _ attributes: borrowing AttributeTable) throws {
    let value = entry.value.withBytes { bytes in
      library.newValue(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, "text/plain")
    }
    guard let value else {
      throw AICredentialError.storageFailed("libsecret did not take the secret.")
    }
    defer { library.releaseValue(value) }
    let label = "\(entry.credential.name) (\(entry.credential.providerID))"
    let table = attributes.table
    _ = try call {
      library.store(library.schema, table, nil, label, value, cancellation.object, $0)
    }
  }

  private func remove(_ attributes: borrowing AttributeTable) throws {
    let table = attributes.table
    _ = try call { library.clear(library.schema, table, cancellation.object, $0) }
  }

  private static func attributes(
    of id: CredentialID, _ description: String? = nil
  ) -> [String: String?] {
    var attributes: [String: String?] = [
      "provider": id.providerID, "type": id.type.rawValue,
    ]
    if let description { attributes["credential"] = description }
    return attributes
  }

  private static func description(of credential: AICredential) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .preciseISO8601
    return String(decoding: try encoder.encode(credential), as: UTF8.self)
  }

  private static func credential(described text: String) -> AICredential? {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .preciseISO8601
    return try? decoder.decode(AICredential.self, from: Data(text.utf8))
  }

  private func call<Result>(_ body: (LibSecret.Failure) -> Result) throws -> Result {
    var failure: UnsafeMutablePointer<GError>?
    let result = body(&failure)
    guard failure != nil else { return result }
    let problem = SecretServiceProblem(taking: failure)
    if cancellation.isCancelled { throw Cancelled() }
    throw problem
  }
}

/// An object of GLib that is let go at the end.
private final class OwnedObject {
  let pointer: LibSecret.Object
  private let library: LibSecret

  init(taking pointer: LibSecret.Object, _ library: LibSecret) {
    self.pointer = pointer
    self.library = library
  }

  deinit {
    library.release(pointer)
  }
}
