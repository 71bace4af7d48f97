extension WyomingInfo.Program {
  /// The models of that name, or all of them.
  func models(
    named name: String?, at address: WyomingAddress
  ) throws(WyomingError) -> [WyomingInfo.Model] {
    guard let name else { return models }
    let found = models.filter { $0.name == name }
    guard !found.isEmpty else {
      let known = models.prefix(10).map(\.name).joined(separator: ", ")
      throw .unsuitable(
        "\(self.name) at \(address.description) has no model “\(name)”. It has \(known).")
    }
    return found
  }
}
