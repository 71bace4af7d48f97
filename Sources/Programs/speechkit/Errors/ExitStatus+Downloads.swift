import ServiceDownloads
import SpeechCommand

extension DownloadError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus {
    switch self {
    case .unavailable, .unsafeRedirect, .incomplete, .inUse, .unsuitedProcessor: .unavailable
    case .wrongDigest, .damagedArchive: .badData
    case .unreadable: .noInput
    case .unwritable, .noSpace, .occupied, .noFolder: .cannotCreate
    }
  }
}
