extension Double {
  /// The number without a fraction of zero.
  package var brief: String { self == rounded() ? String(Int(self)) : String(self) }
}
