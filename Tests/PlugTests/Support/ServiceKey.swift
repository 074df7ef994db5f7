@testable import Plug

/// The name that the project's tests have for it.
typealias ServiceKey = Key
