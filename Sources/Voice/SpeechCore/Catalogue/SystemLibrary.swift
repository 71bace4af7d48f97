/// A C library that a backend loads, for diagnostics.
public struct SystemLibrary: Sendable, Hashable {
  /// The name as the linker knows it: `flite`.
  public var name: String
  /// The package of Debian and Ubuntu that installs it.
  public var package: String
  /// The file that is loaded at the first use; `nil` if it is loaded with the program.
  public var loadedFile: String?

  /// Creates the description of a library.
  public init(_ name: String, package: String, loadedFile: String? = nil) {
    self.name = name
    self.package = package
    self.loadedFile = loadedFile
  }
}
