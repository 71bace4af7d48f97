@_exported import AIServices
@_exported import ConformanceTesting
