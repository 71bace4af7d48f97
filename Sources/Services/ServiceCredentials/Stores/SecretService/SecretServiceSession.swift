import CGLib
import Foundation

/// The requests of one call to the Secret Service. Used on the queue of the calls.
///
/// A credential is an item with attributes, which the service does not keep secret: the application
/// (“speechkit”), the provider, the type, and the description of the credential as JSON. A change
/// creates a new item and then removes the earlier ones, so that a process killed in between leaves
/// both, of which the newer one counts.
///
/// Calls throw `SecretServiceError` if the service fails, and `Cancelled`.
struct SecretServiceSession {
  /// The call was cancelled.
  struct Cancelled: Error {}

  private static let searchAll: CInt = 1 << 1
  private static let searchUnlock: CInt = 1 << 2

  let connection: SecretServiceConnection
  let cancellation: CallCancellation

  private var library: LibSecret { connection.library }

  /// Returns the secret, or `nil` if there is none. May prompt for the keyring's password.
  func entry(for id: CredentialID) throws -> CredentialEntry? {
    try unlockedItems(about: id).first.map { try entry(of: $0) }
  }

  /// Describes all secrets. Never prompts for a password.
  ///
  /// - Throws: `AICredentialError.storeLocked` if a locked keyring conceals them.
  func list() throws -> [AICredential] {
    let (items, concealed) = try items(Self.ours, flags: Self.searchAll)
    guard concealed == 0 else { throw Self.locked }
    var known: Set<CredentialID> = []
    return try items.map(\.credential).filter { credential in
      try known.insert(CredentialID(credential)).inserted
    }
  }

  /// Describes the secrets of a provider. Never prompts for a password. A locked keyring may reveal
  /// only that there is one.
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

  /// Replaces the current entry by the result of the body.
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
    /// The attribute that distinguishes this item from others for the same secret; `nil` if another
    /// program created it.
    let description: String?
  }

  /// The items for that secret, the newest first. May prompt for the keyring's password.
  private func unlockedItems(about id: CredentialID) throws -> [Item] {
    let wanted = Self.attributes(of: id)
    var (items, concealed) = try items(wanted, flags: Self.searchAll | Self.searchUnlock)
    // The items found while locked still have their attributes concealed.
    if concealed > 0 { (items, concealed) = try self.items(wanted, flags: Self.searchAll) }
    guard concealed == 0 else { throw Self.locked }
    return items
  }

  /// The items with those attributes, the newest first, and the number of items whose attributes a
  /// locked keyring conceals.
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

  /// Reads an item; `nil` if its attributes are concealed.
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
    let error = SecretServiceError(taking: failure)
    if cancellation.isCancelled { throw Cancelled() }
    throw error
  }
}

/// An object of GLib that is released on deinitialisation.
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
