/// The mel-frequency cepstral coefficients that the library decodes, one frame for each hundredth
/// of a second.
struct Cepstra {
  /// The coefficients, frame after frame.
  var values: [Float]
  /// The number of coefficients of a frame.
  let width: Int

  static let samplesPerFrame = 160
  /// The length of one window of the library's analysis.
  static let samplesPerWindow = 410

  var frameCount: Int { values.count / width }

  /// The mean of the frames; `nil` if there are none. Digitally silent frames are left out, as in
  /// the library.
  var mean: CepstralMean? { CepstralMean(of: values[...], width: width) }

  /// The mean of the louder frames.
  var loudMean: CepstralMean? { CepstralMean(ofLoud: values[...], width: width) }

  /// The frames in blocks of that many.
  func blocks(of frames: Int) -> some Sequence<ArraySlice<Float>> {
    stride(from: 0, to: values.count, by: frames * width).lazy.map { start in
      values[start..<Swift.min(start + frames * width, values.count)]
    }
  }

  /// The frames of that range, without that mean.
  func frames(_ range: Range<Int>, without mean: CepstralMean) -> Cepstra {
    var part = Array(values[range.lowerBound * width..<range.upperBound * width])
    for start in stride(from: 0, to: part.count, by: width) {
      for index in 0..<width { part[start + index] -= mean.values[index] }
    }
    return Cepstra(values: part, width: width)
  }

  /// The frames with the last one repeated, for the features of the frames before it.
  func padded(by frames: Int) -> Cepstra {
    var padded = self
    let last = values.suffix(width)
    for _ in 0..<frames { padded.values += last }
    return padded
  }
}

/// The input of the acoustic model that the library computes from audio: numbers for each frame.
struct Features {
  let values: [Float]
  let width: Int

  var frameCount: Int { width == 0 ? 0 : values.count / width }
}
