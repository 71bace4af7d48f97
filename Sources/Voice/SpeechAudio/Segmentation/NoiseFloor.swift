/// The background level of a band: its minimum in the last seconds.
///
/// Speech dips to the background between syllables in each band, so the minimum is the background,
/// however long speech lasts. It follows a fall at once, and a rise after the length of the window.
struct NoiseFloor: Sendable {
  /// A quarter of a second each.
  private static let framesPerBlock = 25
  private static let blockCount = 12
  /// The minimum of a fluctuating noise is below its mean by about this factor.
  private static let bias = 1.6
  /// The share of the smoothed energy that remains from one frame to the next: about 60 ms.
  private static let inertia = 0.85

  private var blocks = [Double](repeating: .infinity, count: blockCount)
  private var index = 0
  private var framesInBlock = 0
  private var smoothed: Double?
  private var least = Double.infinity

  /// The mean energy of the background.
  var energy: Double { least * Self.bias }

  /// Adds the energy of the next frame.
  mutating func add(_ energy: Double) {
    let value = smoothed.map { Self.inertia * $0 + (1 - Self.inertia) * energy } ?? energy
    smoothed = value
    if value < blocks[index] {
      blocks[index] = value
      least = min(least, value)
    }
    framesInBlock += 1
    guard framesInBlock == Self.framesPerBlock else { return }
    framesInBlock = 0
    index = (index + 1) % Self.blockCount
    blocks[index] = value
    least = blocks.reduce(.infinity, min)
  }
}
