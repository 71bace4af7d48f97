extension RecognitionLab.Voice {
  /// Creates an entry for recordings, the lines of the bench in their order.
  init(recordings: [RecordingEntry]) {
    self.init(name: "recordings") { number, _ in
      let began = ContinuousClock.now
      let sound = try AudioFile.read(recordings[number].file, as: .recognition)
      let time = began.duration(to: .now)
      return SpokenPerformance(sound: sound, firstSound: time, whole: time)
    }
  }
}
