import CGLib
import Foundation
import SpeechConcurrency

/// The functions of libsecret and of GIO, looked up at run time: programs need neither the headers
/// nor the library, and load it only if it is used.
///
/// Only the forms without variable arguments are used, because Swift cannot call the others.
struct LibSecret: @unchecked Sendable {
  // Unchecked because of the schema, which is not changed after its creation.
  typealias Object = UnsafeMutableRawPointer
  typealias Table = OpaquePointer
  typealias Schema = OpaquePointer
  typealias Value = OpaquePointer
  typealias Text = UnsafePointer<CChar>
  typealias Failure = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>

  /// The kind of our items, and the names of their attributes.
  let schema: Schema
  let store: @convention(c) (Schema, Table, Text?, Text, Value, Object?, Failure) -> gboolean
  let clear: @convention(c) (Schema, Table, Object?, Failure) -> gboolean
  let search: @convention(c) (Schema, Table, CInt, Object?, Failure) -> UnsafeMutablePointer<GList>?
  let attributes: @convention(c) (Object) -> Table?
  let label: @convention(c) (Object) -> UnsafeMutablePointer<CChar>?
  let modified: @convention(c) (Object) -> UInt64
  let secret: @convention(c) (Object, Object?, Failure) -> Value?
  let newValue: @convention(c) (Text?, gssize, Text) -> Value?
  let bytes: @convention(c) (Value, UnsafeMutablePointer<gsize>) -> Text?
  let releaseValue: @convention(c) (Value) -> Void
  let disconnect: @convention(c) () -> Void

  let connect: @convention(c) (CInt, Object?, Failure) -> Object?
  let setExitOnClose: @convention(c) (Object, gboolean) -> Void
  let newCancellable: @convention(c) () -> Object?
  let cancel: @convention(c) (Object?) -> Void
  let isCancelled: @convention(c) (Object?) -> gboolean
  let release: @convention(c) (Object?) -> Void

  /// The library, if it is installed. It stays loaded, because types of GLib cannot be
  /// unregistered.
  static func load() -> LibSecret? {
    loaded.withLock { library in
      if library == nil, let handle = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_NODELETE) {
        library = try? LibSecret(handle)
      }
      return library
    }
  }

  /// The library, if it has been loaded before.
  static var ifLoaded: LibSecret? { loaded.withLock { $0 } }

  private static let loaded = Guarded<LibSecret?>(nil)

  /// GNOME Keyring does not find items by the name of their schema while it is locked.
  private static let dontMatchName: CInt = 1 << 1

  private struct Missing: Error {}

  private init(_ handle: UnsafeMutableRawPointer) throws {
    func find<Function>(_ name: String) throws -> Function {
      guard let address = dlsym(handle, name) else { throw Missing() }
      // The signatures above are valid for every library of this name: its number would change with
      // them.
      return unsafeBitCast(address, to: Function.self)
    }
    let newSchema: @convention(c) (Text, CInt, Table) -> Schema? = try find("secret_schema_newv")
    // The values are attribute types; nil means text.
    let names = AttributeTable([
      "application": nil, "provider": nil, "type": nil, "credential": nil,
    ])
    guard let schema = newSchema("org.speechkit.Credential", Self.dontMatchName, names.table) else {
      throw Missing()
    }
    self.schema = schema
    store = try find("secret_password_storev_binary_sync")
    clear = try find("secret_password_clearv_sync")
    search = try find("secret_password_searchv_sync")
    attributes = try find("secret_retrievable_get_attributes")
    label = try find("secret_retrievable_get_label")
    modified = try find("secret_retrievable_get_modified")
    secret = try find("secret_retrievable_retrieve_secret_sync")
    newValue = try find("secret_value_new")
    bytes = try find("secret_value_get")
    releaseValue = try find("secret_value_unref")
    disconnect = try find("secret_service_disconnect")
    connect = try find("g_bus_get_sync")
    setExitOnClose = try find("g_dbus_connection_set_exit_on_close")
    newCancellable = try find("g_cancellable_new")
    cancel = try find("g_cancellable_cancel")
    isCancelled = try find("g_cancellable_is_cancelled")
    release = try find("g_object_unref")
  }
}

/// Attributes in the form that libsecret expects.
struct AttributeTable: ~Copyable {
  let table: LibSecret.Table

  init(_ attributes: [String: String?]) {
    table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
    for (name, value) in attributes {
      g_hash_table_insert(table, g_strdup(name), value.map { g_strdup($0) })
    }
  }

  deinit {
    g_hash_table_unref(table)
  }
}
