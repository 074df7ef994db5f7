@testable import Plug

/// The name of `Key` in the tests of the project.
typealias ServiceKey = Key
