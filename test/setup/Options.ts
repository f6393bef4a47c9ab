import { Option } from "effect"
import { chai } from "vitest"

/** False for an option with a value and one without, which chai takes for equal: it does not see `_tag`. */
const comparator = (left: unknown, right: unknown): boolean | null =>
  Option.isOption(left) && Option.isOption(right) && Option.isSome(left) !== Option.isSome(right) ? false : null

chai.config.deepEqual = (expected, actual) => chai.util.eql(expected, actual, { comparator })
