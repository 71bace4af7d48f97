import Foundation
import SpeechKit

/// A hundred names in sentences. Other names, sentences and recordings fitted the check of words.
enum SpokenNames {
  struct Utterance {
    var name: String
    var text: String
    var audio: PCMBuffer
  }

  static let names = """
    Aisling Caoimhe Ciaran Eoghan Grainne Oisin Padraig Roisin Sinead Orla Bjorn Astrid Ingrid
    Sigurd Torvald Leif Soren Anders Katarzyna Malgorzata Stanislaw Jaroslav Vaclav Miroslav
    Ludmila Oksana Yaroslav Vladimir Tatiana Natasha Mehmet Ayse Emre Farouk Yasmin Leila
    Khalid Tariq Zainab Omar Priya Rajesh Sanjay Lakshmi Vikram Anjali Deepak Suresh Kavita
    Arjun Hiroshi Takeshi Yuki Akira Naomi Kenji Sakura Haruto Xiaoming Jiayi Mateo Alejandro
    Esperanza Guadalupe Ximena Ignacio Rodrigo Consuelo Beatriz Fernanda Thibault Delphine
    Margaux Etienne Celestine Beauregard Montague Fitzgerald Cholmondeley Featherstone Okonkwo
    Adebayo Chidi Ngozi Kwame Abena Themba Nomvula Prometheus Elasticsearch Podman Vagrant
    Rsync Emacs Libretto Vulkan Wayland Haskell Erlang Gentoo
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  private static let sentences = [
    "Send this letter to NAME tomorrow morning.",
    "Yesterday NAME came to the house with a friend.",
    "I think NAME knows the answer already.", "Remind me to write to NAME after lunch.",
    "They waited for NAME near the station.",
  ]

  /// Each name once, by the voices of Flite in turn.
  static func utterances() async throws -> [Utterance] {
    let engine = FliteEngine()
    let voices = ["slt", "rms", "awb"]
    var made: [Utterance] = []
    for (index, name) in names.enumerated() {
      let text = sentences[index % sentences.count].replacing("NAME", with: name)
      let request = engine.makeRequest(text: text, voiceId: voices[index % voices.count])
      let audio = try await engine.render(request, configuration: .default)
      made.append(
        Utterance(name: name, text: text, audio: try audio.resampled(to: .recognition)))
    }
    return made
  }
}
