import CPocketSphinx
import SpeechCore

// MARK: - Cepstral mean

extension PocketSphinxHandle {
  /// Sets whether the mean that was set is subtracted from the cepstra, or nothing.
  func subtractKnownMean(_ subtract: Bool) { skps_subtract_known_mean(decoder, subtract ? 1 : 0) }

  /// Sets the mean to subtract, and the mean that is mixed with the following frames.
  func set(mean: CepstralMean, remembered: CepstralMean) {
    guard mean.values.count == meanLength, remembered.values.count == meanLength else { return }
    skps_set_mean(decoder, mean.values, remembered.values, Int32(remembered.frames))
  }

  func updateMean() { skps_update_mean(decoder) }

  var mean: [Float] {
    var values = [Float](repeating: 0, count: meanLength)
    skps_get_mean(decoder, &values)
    return values
  }

  var meanLength: Int { Int(skps_mean_length(decoder)) }
}

// MARK: - Cepstra

extension PocketSphinxHandle {
  var cepstrumLength: Int { Int(skps_cepstrum_length(decoder)) }

  /// The cepstra of these samples. Between utterances only.
  func cepstra(of samples: ArraySlice<Int16>) throws(SpeechRecognitionError) -> Cepstra {
    let width = cepstrumLength
    var values = [Float](repeating: 0, count: Int(skps_frame_limit(samples.count)) * width)
    var frames: Int32 = 0
    try check("process the audio") { decoder in
      frames = values.withUnsafeMutableBufferPointer { values in
        samples.withUnsafeBufferPointer {
          skps_cepstra(decoder, $0.baseAddress, $0.count, values.baseAddress)
        }
      }
      return frames
    }
    values.removeLast(values.count - Int(frames) * width)
    return Cepstra(values: values, width: width)
  }

  /// The cepstra as the library decodes them in a complete utterance: without their own mean, and
  /// with their last frame repeated, for the features of the frames before it.
  func normalized(_ cepstra: Cepstra) throws(SpeechRecognitionError) -> Cepstra {
    var cepstra = cepstra
    let frames = Int32(cepstra.frameCount)
    try check("process the audio") { decoder in
      cepstra.values.withUnsafeMutableBufferPointer {
        skps_subtract_own_mean(decoder, $0.baseAddress, frames)
      }
    }
    return cepstra.padded(by: framesAround)
  }

  /// The number of frames on each side that the features of a frame depend on.
  var framesAround: Int { Int(skps_frames_around(decoder)) }
}

// MARK: - Features

extension PocketSphinxHandle {
  /// The features that the acoustic model scores, from normalised cepstra. Must not be called while
  /// a known mean is subtracted.
  func features(of cepstra: Cepstra) throws(SpeechRecognitionError) -> Features {
    var cepstra = cepstra
    let frames = Int32(cepstra.frameCount)
    let width = Int(skps_feature_length(decoder))
    var values = [Float](repeating: 0, count: Int(frames) * width)
    var made: Int32 = 0
    try check("compute features") { decoder in
      made = cepstra.values.withUnsafeMutableBufferPointer { cepstra in
        values.withUnsafeMutableBufferPointer {
          skps_features_aside(decoder, cepstra.baseAddress, frames, $0.baseAddress)
        }
      }
      return made
    }
    values.removeLast(values.count - Int(made) * width)
    return Features(values: values, width: width)
  }
}
