/// A Fourier transform of a power of two, for long filters.
struct Spectrum {
  let count: Int
  private let cosines: [Double]
  private let sines: [Double]

  /// Creates a transform of at least the given number of samples.
  init(atLeast wanted: Int) {
    var count = 2
    while count < wanted { count *= 2 }
    self.count = count
    let turns = (0..<count / 2).map { 2 * Double.pi * Double($0) / Double(count) }
    cosines = turns.map { cos($0) }
    sines = turns.map { sin($0) }
  }

  /// Transforms in place; the inverse omits the division by the count.
  func transform(_ real: inout [Double], _ imaginary: inout [Double], isInverse: Bool = false) {
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        cosines.withUnsafeBufferPointer { cosines in
          sines.withUnsafeBufferPointer { sines in
            reorder(real, imaginary)
            combine(real, imaginary, cosines, sines, isInverse ? 1 : -1)
          }
        }
      }
    }
  }

  private func reorder(
    _ real: UnsafeMutableBufferPointer<Double>, _ imaginary: UnsafeMutableBufferPointer<Double>
  ) {
    var mirrored = 0
    for index in 1..<count {
      var bit = count >> 1
      while mirrored & bit != 0 {
        mirrored ^= bit
        bit >>= 1
      }
      mirrored |= bit
      if index < mirrored {
        real.swapAt(index, mirrored)
        imaginary.swapAt(index, mirrored)
      }
    }
  }

  private func combine(
    _ real: UnsafeMutableBufferPointer<Double>, _ imaginary: UnsafeMutableBufferPointer<Double>,
    _ cosines: UnsafeBufferPointer<Double>, _ sines: UnsafeBufferPointer<Double>, _ sign: Double
  ) {
    var length = 2
    while length <= count {
      let (half, step) = (length / 2, count / length)
      var start = 0
      while start < count {
        var offset = 0
        while offset < half {
          let (one, other) = (start + offset, start + offset + half)
          let (c, s) = (cosines[offset * step], sign * sines[offset * step])
          let a = real[other] * c - imaginary[other] * s
          let b = real[other] * s + imaginary[other] * c
          real[other] = real[one] - a
          imaginary[other] = imaginary[one] - b
          real[one] += a
          imaginary[one] += b
          offset += 1
        }
        start += length
      }
      length *= 2
    }
  }
}

extension [Double] {
  /// Returns the samples filtered with an impulse response: as long as both together, less one.
  func convolved(with response: [Double]) -> [Double] {
    guard !isEmpty, !response.isEmpty else { return [] }
    let length = count + response.count - 1
    let spectrum = Spectrum(atLeast: length)
    // Two real signals share one transform: one as the real, the other as the imaginary part.
    var real = self + [Double](repeating: 0, count: spectrum.count - count)
    var imaginary = response + [Double](repeating: 0, count: spectrum.count - response.count)
    spectrum.transform(&real, &imaginary)
    var (productReal, productImaginary) = (real, imaginary)
    for index in 0..<spectrum.count {
      let mirrored = (spectrum.count - index) & (spectrum.count - 1)
      let oneReal = (real[index] + real[mirrored]) / 2
      let oneImaginary = (imaginary[index] - imaginary[mirrored]) / 2
      let otherReal = (imaginary[index] + imaginary[mirrored]) / 2
      let otherImaginary = (real[mirrored] - real[index]) / 2
      productReal[index] = oneReal * otherReal - oneImaginary * otherImaginary
      productImaginary[index] = oneReal * otherImaginary + oneImaginary * otherReal
    }
    spectrum.transform(&productReal, &productImaginary, isInverse: true)
    let scale = 1 / Double(spectrum.count)
    return productReal.prefix(length).map { $0 * scale }
  }
}
