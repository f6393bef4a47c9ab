import { assert, describe, it } from "@effect/vitest"
import { presentedKey, type PresentedKeys, type RouteFamily } from "@trunkline/rate-limits"
import { Option } from "effect"

/** The key of a request with the given headers; null when there is none. */
const keyOf = (family: RouteFamily, headers: Partial<PresentedKeys>): string | null =>
  Option.getOrNull(presentedKey({ subscriptionKey: null, bearer: null, xApiKey: null, ...headers }, family))

describe("presentedKey", () => {
  it("accepts either header on every route", () => {
    for (const family of ["main", "orgs", "analytics", "boards"] as const) {
      assert.strictEqual(keyOf(family, { subscriptionKey: "k" }), "k")
      assert.strictEqual(keyOf(family, { bearer: "k" }), "k")
      assert.isNull(keyOf(family, {}))
    }
  })

  it("accepts X-API-Key on org, analytics and boards routes but not on main routes", () => {
    for (const family of ["orgs", "analytics", "boards"] as const) {
      assert.strictEqual(keyOf(family, { xApiKey: "k" }), "k")
    }
    assert.isNull(keyOf("main", { xApiKey: "k" }))
    assert.strictEqual(keyOf("main", { bearer: "k", xApiKey: "other" }), "k")
  })

  it("prefers api-subscription-key, on boards X-API-Key, over the other headers", () => {
    const keys: PresentedKeys = { subscriptionKey: "subscription", bearer: "bearer", xApiKey: "x" }
    for (const family of ["main", "orgs", "analytics"] as const) assert.strictEqual(keyOf(family, keys), "subscription")
    assert.strictEqual(keyOf("boards", keys), "x")
    assert.strictEqual(keyOf("boards", { ...keys, xApiKey: null }), "subscription")
  })

  it("gives Authorization the lowest precedence on every route", () => {
    assert.strictEqual(keyOf("main", { subscriptionKey: "k", bearer: "other" }), "k")
    for (const family of ["orgs", "analytics", "boards"] as const) {
      assert.strictEqual(keyOf(family, { xApiKey: "k", bearer: "other" }), "k")
    }
  })

  it("ignores an empty header", () => {
    assert.strictEqual(keyOf("orgs", { subscriptionKey: "", bearer: "k", xApiKey: "" }), "k")
    assert.isNull(keyOf("orgs", { subscriptionKey: "", bearer: "", xApiKey: "" }))
  })
})
