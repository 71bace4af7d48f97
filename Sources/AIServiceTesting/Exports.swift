@_exported import AIServices
