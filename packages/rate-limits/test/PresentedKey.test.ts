import { assert, describe, it } from "@effect/vitest"
import { presentedKey, type PresentedKeys, type RouteFamily } from "@trunkline/rate-limits"
import { Option } from "effect"

/** The key of a request with these headers; null when there is none. */
const keyOf = (family: RouteFamily, headers: Partial<PresentedKeys>): string | null =>
  Option.getOrNull(presentedKey({ subscriptionKey: null, bearer: null, xApiKey: null, ...headers }, family))

describe("presentedKey", () => {
  it("either header carries the key on every route", () => {
    for (const family of ["main", "orgs", "analytics", "boards"] as const) {
      assert.strictEqual(keyOf(family, { subscriptionKey: "k" }), "k")
      assert.strictEqual(keyOf(family, { bearer: "k" }), "k")
      assert.isNull(keyOf(family, {}))
    }
  })

  it("X-API-Key counts on org, analytics and boards routes, and is not seen on main ones", () => {
    for (const family of ["orgs", "analytics", "boards"] as const) {
      assert.strictEqual(keyOf(family, { xApiKey: "k" }), "k")
    }
    assert.isNull(keyOf("main", { xApiKey: "k" }))
    assert.strictEqual(keyOf("main", { bearer: "k", xApiKey: "other" }), "k")
  })

  it("of several headers api-subscription-key decides, on boards X-API-Key, and the others are not looked at", () => {
    const all: PresentedKeys = { subscriptionKey: "subscription", bearer: "bearer", xApiKey: "x" }
    for (const family of ["main", "orgs", "analytics"] as const) assert.strictEqual(keyOf(family, all), "subscription")
    assert.strictEqual(keyOf("boards", all), "x")
    assert.strictEqual(keyOf("boards", { ...all, xApiKey: null }), "subscription")
  })

  it("Authorization comes last on every route", () => {
    assert.strictEqual(keyOf("main", { subscriptionKey: "k", bearer: "other" }), "k")
    for (const family of ["orgs", "analytics", "boards"] as const) {
      assert.strictEqual(keyOf(family, { xApiKey: "k", bearer: "other" }), "k")
    }
  })

  it("an empty header presents nothing", () => {
    assert.strictEqual(keyOf("orgs", { subscriptionKey: "", bearer: "k", xApiKey: "" }), "k")
    assert.isNull(keyOf("orgs", { subscriptionKey: "", bearer: "", xApiKey: "" }))
  })
})
