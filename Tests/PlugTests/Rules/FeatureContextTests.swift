import Plug
import PlugOperations
import Testing

@Suite("The rule of a feature")
struct FeatureContextTests {
  static let examples: [(Set<String>, String)] = [
    (["beta"], #"+ feature "beta": ["beta"]"#),
    (["gamma", "beta", "alpha"], #"+ feature "beta": ["alpha", "beta", "gamma"]"#),
    (["alpha"], #"- feature "beta": ["alpha"]"#),
    (["Beta"], #"- feature "beta": ["Beta"]"#),
    ([], #"- feature "beta": []"#),
  ]

  @Test("looks the feature up in the context, and shows its features in alphabetical order", arguments: examples)
  func feature(_ features: Set<String>, _ trace: String) {
    let guest = Guest(enabledFeatures: features)
    #expect("\(Rule<Guest>.feature("beta").trace(in: guest))" == trace)
    let isOn = Rule<Guest>.feature("beta").evaluate(in: guest)
    #expect(isOn == (trace.hasPrefix("+") ? .satisfied : .unsatisfied))
  }

  @Test("describes itself with the name of the feature in quotes")
  func description() {
    #expect("\(Rule<Guest>.feature("beta"))" == #"feature "beta""#)
    #expect("\(Rule<Guest>.feature("a \"b\""))" == #"feature "a \"b\"""#)
  }
}
