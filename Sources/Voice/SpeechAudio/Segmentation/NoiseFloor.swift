/// How loud a band is when nobody speaks: the least that was heard of it in the last seconds.
///
/// Speech dips to the background between syllables in each band, so that the least is the background,
/// however long somebody speaks. It follows a fall at once and a rise when the window has passed.
struct NoiseFloor: Sendable {
  /// A quarter of a second each.
  private static let framesPerBlock = 25
  private static let blockCount = 12
  /// The least of a fluctuating noise lies below its mean by about this factor.
  private static let bias = 1.6
  /// How much of the smoothed energy stays from one frame to the next: about 60 ms.
  private static let inertia = 0.85

  private var blocks = [Double](repeating: .infinity, count: blockCount)
  private var index = 0
  private var framesInBlock = 0
  private var smoothed: Double?
  private var least = Double.infinity

  /// The mean energy of the background.
  var energy: Double { least * Self.bias }

  /// Hears the next frame.
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

  /// Takes that for the background from now on; it goes on adapting.
  mutating func set(_ energy: Double) {
    self = NoiseFloor()
    for index in blocks.indices { blocks[index] = energy / Self.bias }
    least = energy / Self.bias
    smoothed = energy
  }
}
