import { assert, describe, it } from "@effect/vitest"
import { presentedKey, type PresentedKeys } from "@trunkline/rate-limits"
import { Option } from "effect"

const nothing: PresentedKeys = { subscriptionKey: null, bearer: null, xApiKey: null }

describe("presentedKey", () => {
  it("either header carries the key on every route", () => {
    for (const family of ["main", "orgs", "analytics", "boards"] as const) {
      assert.deepStrictEqual(presentedKey({ ...nothing, subscriptionKey: "k" }, family), Option.some("k"))
      assert.deepStrictEqual(presentedKey({ ...nothing, bearer: "k" }, family), Option.some("k"))
    }
  })

  it("X-API-Key counts on org, analytics and boards routes, and is not seen on main ones", () => {
    for (const family of ["orgs", "analytics", "boards"] as const) {
      assert.deepStrictEqual(presentedKey({ ...nothing, xApiKey: "k" }, family), Option.some("k"))
    }
    assert.deepStrictEqual(presentedKey({ ...nothing, xApiKey: "k" }, "main"), Option.none())
    assert.deepStrictEqual(presentedKey({ ...nothing, bearer: "k", xApiKey: "other" }, "main"), Option.some("k"))
  })

  it("the same key may be presented twice, two different ones are none", () => {
    assert.deepStrictEqual(
      presentedKey({ subscriptionKey: "k", bearer: "k", xApiKey: "k" }, "orgs"),
      Option.some("k")
    )
    assert.deepStrictEqual(presentedKey({ ...nothing, subscriptionKey: "k", bearer: "other" }, "main"), Option.none())
    assert.deepStrictEqual(presentedKey({ ...nothing, subscriptionKey: "k", xApiKey: "other" }, "orgs"), Option.none())
  })

  it("an empty header presents nothing", () => {
    assert.deepStrictEqual(presentedKey({ subscriptionKey: "", bearer: "k", xApiKey: "" }, "orgs"), Option.some("k"))
    assert.deepStrictEqual(presentedKey({ subscriptionKey: "", bearer: "", xApiKey: "" }, "orgs"), Option.none())
  })
})
