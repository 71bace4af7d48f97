/// What the library decodes instead of sound: some numbers for each hundredth of a second.
struct Cepstra {
  /// The numbers, frame behind frame.
  var values: [Float]
  /// How many numbers a frame has.
  let width: Int

  static let samplesPerFrame = 160

  var frameCount: Int { values.count / width }

  /// The mean of the frames; `nil` if there are none. Frames without any sound are left out, as the
  /// library does.
  var mean: CepstralMean? {
    var sum = [Double](repeating: 0, count: width)
    var frames = 0
    for start in stride(from: 0, to: values.count, by: width) where values[start] >= 0 {
      for index in 0..<width { sum[index] += Double(values[start + index]) }
      frames += 1
    }
    guard frames > 0 else { return nil }
    return CepstralMean(values: sum.map { Float($0 / Double(frames)) }, frames: frames)
  }

  /// The frames in blocks of that many.
  func blocks(of frames: Int) -> some Sequence<ArraySlice<Float>> {
    stride(from: 0, to: values.count, by: frames * width).lazy.map { start in
      values[start..<Swift.min(start + frames * width, values.count)]
    }
  }
}
