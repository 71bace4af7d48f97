import SpeechFiles

extension SpeechDiagnostics {
  /// Lists the installed files of engines that are no packages of the system. All of them are
  /// optional.
  static var engines: [Check] {
    PublishedFileSet.standard.map { set in
      Check(part: "engines.\(set.engine)", title: "Files of \(set.engine)", remedy: "") {
        let names = set.installed().map(\.name)
        let found = names.isEmpty ? "none" : names.joined(separator: ", ")
        return "\(found); `speechkit engines` lists what can be added"
      }
    }
  }
}
