import { effect, it, layer, scoped } from "@effect/vitest"
import { getCurrentSuite } from "vitest/suite"

/**
 * Confines a method of `it` that `layer(...)` replaces to the suite for which it is replaced. `@effect/vitest` assigns a
 * layer's `it.effect` to the one global `it`; without this, every suite that is collected later in the same worker would
 * run in that layer's runtime as well.
 */
const confine = (name: "effect" | "scoped" | "layer", original: unknown): void => {
  const bySuite = new WeakMap<object, unknown>()
  Object.defineProperty(it, name, {
    configurable: true,
    enumerable: true,
    get: () => {
      for (let { suite } = getCurrentSuite(); suite !== undefined; { suite } = suite) {
        const own = bySuite.get(suite)
        if (own !== undefined) return own
      }
      return original
    },
    set: (replacement) => {
      const { suite } = getCurrentSuite()
      if (suite !== undefined) bySuite.set(suite, replacement)
    }
  })
}

confine("effect", effect)
confine("scoped", scoped)
confine("layer", layer)
