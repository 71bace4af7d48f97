import CGLib
import Foundation

/// What the Secret Service is asked in one request, on the queue of the calls.
///
/// A credential is an item with attributes, which the service does not keep secret: the application
/// (“speechkit”), the provider, the type, and what is known of the credential as JSON. A change makes a new item and then removes those that were
/// there before, so that a process that is killed in between leaves both, of which the newer counts.
///
/// Calls throw `SecretServiceError` when the service fails, and `Cancelled`.
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
    try unlockedItems(about: id).first.map { try entry(of: $0) }
  }

  /// What is known of all secrets; asks for no password.
  ///
  /// - Throws: `AICredentialError.storeLocked` when a locked keyring does not tell.
  func list() throws -> [AICredential] {
    let (items, concealed) = try items(Self.ours, flags: Self.searchAll)
    guard concealed == 0 else { throw Self.locked }
    var known: Set<CredentialID> = []
    return try items.map(\.credential).filter { credential in
      try known.insert(CredentialID(credential)).inserted
    }
  }

  /// What is known of a provider's secrets; asks for no password. Of what is in a locked keyring that may be
  /// no more than its being there.
  func list(for providerID: String) throws -> [AICredential] {
    try AICredentialType.allCases.compactMap { type in
      let id = try CredentialID(providerID: providerID, type: type)
      let (items, concealed) = try items(Self.attributes(of: id), flags: Self.searchAll)
      if let item = items.first { return item.credential }
      return concealed == 0
        ? nil
        : AICredential(
          found: id, in: "secret-service", name: "in a locked keyring",
          at: Date(timeIntervalSince1970: 0))
    }
  }

  /// Puts what the body makes of the present entry in its place.
  func change(
    _ id: CredentialID, _ body: (CredentialEntry?) throws -> CredentialEntry?
  ) throws {
    let old = try unlockedItems(about: id)
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

  /// The items about that secret, the newest first; asks for the keyring's password if need be.
  private func unlockedItems(about id: CredentialID) throws -> [Item] {
    let wanted = Self.attributes(of: id)
    var (items, concealed) = try items(wanted, flags: Self.searchAll | Self.searchUnlock)
    // What was locked when it was found is still described as it was then.
    if concealed > 0 { (items, concealed) = try self.items(wanted, flags: Self.searchAll) }
    guard concealed == 0 else { throw Self.locked }
    return items
  }

  /// The items with those attributes, the newest first, and the number of those whose attributes a locked
  /// keyring conceals.
  private func items(
    _ attributes: [String: String?], flags: CInt
  ) throws -> (readable: [Item], concealed: Int) {
    let wanted = AttributeTable(attributes)
    let table = wanted.table
    let list = try call { library.search(library.schema, table, flags, cancellation.object, $0) }
    defer { g_list_free(list) }
    var objects: [OwnedObject] = []
    var node = list
    while let current = node {
      if let data = current.pointee.data { objects.append(OwnedObject(taking: data, library)) }
      node = current.pointee.next
    }
    let items = try objects.compactMap(item)
    return (
      items.sorted { $0.credential.updatedAt > $1.credential.updatedAt },
      objects.count - items.count
    )
  }

  /// `nil` where the attributes cannot be read.
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

  private static let ours: [String: String?] = ["application": "speechkit"]

  private static let locked = AICredentialError.storeLocked(
    "The keyring is locked. Unlock it in the desktop's password settings, and try again.")

  private static func attributes(
    of id: CredentialID, _ description: String? = nil
  ) -> [String: String?] {
    var attributes = ours
    attributes["provider"] = id.providerID
    attributes["type"] = id.type.rawValue
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
    let problem = SecretServiceError(taking: failure)
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
