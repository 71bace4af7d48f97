import SpeechFiles
import Testing

struct BaseFolderTests {
  @Test(
    arguments: [
      (["XDG_DATA_HOME": "/data", "HOME": "/home/x"], "/data"),
      (["XDG_DATA_HOME": "", "HOME": "/home/x"], "/home/x/.local/share"),
      (["XDG_DATA_HOME": "relative", "HOME": "/home/x"], "/home/x/.local/share"),
      (["HOME": "/home/x"], "/home/x/.local/share"),
      (["HOME": "/"], "/.local/share"),
      (["HOME": ""], "/account/.local/share"),
      (["HOME": "relative"], "/account/.local/share"),
      ([:], "/account/.local/share"),
    ] as [([String: String], String)])
  func `the environment determines the folder of data`(environment: [String: String], path: String)
  {
    #expect(BaseFolder.data.path(environment) { "/account" } == path)
  }

  @Test func `a user without a home has no folder`() {
    #expect(BaseFolder.data.path([:]) { nil } == nil)
  }
}
