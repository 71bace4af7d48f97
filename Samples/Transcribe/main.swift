// Transcribes an audio file.
//
//   swift run Transcribe FILE
import Foundation
import SpeechKit

guard let path = CommandLine.arguments.dropFirst().first else {
  print("usage: Transcribe FILE")
  exit(64)
}
do {
  let transcript = try await SpeechTranscriber().transcribe(URL(filePath: path))
  for segment in transcript.segments {
    print(String(format: "%6.2f s ", segment.start), segment.text)
  }
} catch {
  print(error.localizedDescription)
  exit(1)
}
