/// A C library that a backend loads, for diagnostics.
public struct SystemLibrary: Sendable, Hashable {
  /// The name as the linker knows it: `flite`.
  public var name: String
  /// The package of Debian and Ubuntu that installs it.
  public var package: String

  /// Creates the description of a library.
  public init(_ name: String, package: String) {
    self.name = name
    self.package = package
  }
}
