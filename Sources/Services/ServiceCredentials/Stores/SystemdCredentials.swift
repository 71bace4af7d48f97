import Foundation
import SpeechFiles

/// The credentials that systemd passes to a service: `LoadCredential=openai:/etc/app/openai.key`
/// puts a key into a file in the folder named by `$CREDENTIALS_DIRECTORY`.
///
/// The file of a key is named after the provider; other types are appended after a dot, as in
/// `openai.oauth_token`. The permissions of the files are left to systemd and not checked.
public struct SystemdCredentials: CredentialSource {
  /// The name of this source, `systemd`.
  public let name = "systemd"
  private let environment: [String: String]?

  /// Reads the folder from the given environment, or from that of the process at each call.
  public init(_ environment: [String: String]? = nil) {
    self.environment = environment
  }

  /// Returns the secret, or `nil` if there is no such file.
  public func entry(for id: CredentialID) async throws -> CredentialEntry? {
    guard let folder, let file = Self.fileName(for: id),
      let (value, date) = try Self.read(folder + "/" + file, id)
    else { return nil }
    return CredentialEntry(credential: Self.credential(id, file, date), value: value)
  }

  /// Describes all secrets in the folder.
  public func list() async throws -> [AICredential] {
    guard let folder,
      let files = try? FileManager.default.contentsOfDirectory(atPath: folder)
    else { return [] }
    return files.sorted().compactMap { file in
      var status = stat()
      guard !file.hasPrefix("."), lstat(folder + "/" + file, &status) == 0,
        status.st_mode & S_IFMT == S_IFREG, let id = try? Self.id(of: file)
      else { return nil }
      return Self.credential(id, file, status.modified)
    }
  }

  private var folder: String? {
    let variables = environment ?? ProcessInfo.processInfo.environment
    return variables["CREDENTIALS_DIRECTORY"].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The name of the file; `nil` if it would not be a valid one.
  private static func fileName(for id: CredentialID) -> String? {
    let file =
      id.type == .apiKey ? id.providerID : "\(id.providerID).\(id.type.rawValue)"
    return file.contains("/") || file.hasPrefix(".") ? nil : file
  }

  private static func id(of file: String) throws(AICredentialError) -> CredentialID {
    for type in AICredentialType.allCases where type != .apiKey {
      let ending = "." + type.rawValue
      if file.hasSuffix(ending), file.count > ending.count {
        return try CredentialID(providerID: String(file.dropLast(ending.count)), type: type)
      }
    }
    return try CredentialID(providerID: file, type: .apiKey)
  }

  private static func credential(
    _ id: CredentialID, _ file: String, _ date: Date
  ) -> AICredential {
    AICredential(found: id, in: "systemd", name: file, at: date)
  }

  private static func read(_ path: String, _ id: CredentialID) throws -> (SecureString, Date)? {
    // Without O_NONBLOCK, opening a named pipe would block.
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw AICredentialError.storageFailed(
        "The credential “\(path)” of systemd cannot be read: \(SystemFailure(code: errno)).")
    }
    let file = OwnedDescriptor(descriptor)
    let status = try file.status(of: path)
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw AICredentialError.storageFailed("The credential “\(path)” of systemd is not a file.")
    }
    guard status.st_size <= AICredentialValidator.sizeLimit else {
      throw AICredentialError.invalidFormat("The credential “\(path)” is longer than 64 KiB.")
    }
    let value = try file.withContents(of: path, upTo: AICredentialValidator.sizeLimit) {
      SecureString(bytes: $0)
    }
    return (value, status.modified)
  }
}
