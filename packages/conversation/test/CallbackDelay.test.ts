import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { callbackDelay } from "../src/clauses/Phrases.js"

describe("callbackDelay", () => {
  it.each(
    [
      ["Call me in 20 minutes", "20 minutes"],
      ["2 घंटे बाद", "2 hours"],
      ["after ३ दिन", "3 days"],
      ["tomorrow, please", "1 day"],
      ["कल फोन करना", "1 day"],
      ["later", "1 hour"],
      ["in 0 minutes", "1 hour"]
    ] as const
  )("takes '%s' for %s", (text, delay) => {
    assert.strictEqual(Duration.toMillis(callbackDelay(text)), Duration.toMillis(delay))
  })
})
