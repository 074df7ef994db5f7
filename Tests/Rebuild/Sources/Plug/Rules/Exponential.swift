/// The finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
func mixed(_ value: UInt64) -> UInt64 {
  var result = value &+ 0x9e37_79b9_7f4a_7c15
  result = (result ^ result >> 30) &* 0xbf58_476d_1ce4_e5b9
  result = (result ^ result >> 27) &* 0x94d0_49bb_1331_11eb
  return result ^ result >> 31
}

/// A number greater than 0 and at most 1.
func unitInterval(_ bits: UInt64) -> Double {
  Double(bits >> 11 + 1) * 0x1p-53
}

/// The negative natural logarithm of a number greater than 0 and at most 1, to ten digits: by the series of the inverse
/// hyperbolic tangent, after the number has been brought between √½ and √2.
func negativeLogarithm(_ value: Double) -> Double {
  let bits = value.bitPattern
  var exponent = Double(Int(bits >> 52) - 1023)
  var significand = Double(bitPattern: bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000)
  if significand > 1.414_213_562_373_095 {
    significand *= 0.5
    exponent += 1
  }
  let ratio = (significand - 1) / (significand + 1)
  let square = ratio * ratio
  let end = 1 / 7.0 + square * (1 / 9.0 + square * (1 / 11.0))
  let series = 1 + square * (1 / 3.0 + square * (1 / 5.0 + square * end))
  return -(exponent * 0.693_147_180_559_945_3 + 2 * ratio * series)
}
