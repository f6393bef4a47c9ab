import { assert, describe, it } from "@effect/vitest"
import type { TrunklineOptions } from "trunkline"
import { call, collect, withTrunkline } from "../Fixtures.js"

const refusing: TrunklineOptions["simulator"] = {
  speed: 1000,
  default: ["I'm busy. Please don't call me again.", "Bye."]
}

describe("a caller who refuses further calls", () => {
  it("is on the do-not-call list with the sentence, once the call has ended", () =>
    withTrunkline({ simulator: refusing }, async (trunkline) => {
      const { attempt_id, ended } = await trunkline.calls.create(call)
      assert.strictEqual((await ended).opt_out, "Please don't call me again")
      const [entry] = await collect(trunkline.blockedNumbers.list())
      assert.strictEqual(entry?.phone_number, call.to)
      assert.strictEqual(entry?.reason, "Refused on a call: Please don't call me again")
      assert.strictEqual(entry?.created_by, `attempt ${attempt_id}`)
      const again = await trunkline.calls.create(call).then(() => null, (error: unknown) => error)
      assert.include(String(again), "blocked")
    }))

  it("is on the list with the beginning of a long sentence, whose whole is in the webhook", () => {
    const long = `don't call me again ${"and again ".repeat(40)}`.trim()
    return withTrunkline({ simulator: { speed: 1000, default: [long, "Bye."] } }, async (trunkline) => {
      const { ended } = await trunkline.calls.create(call)
      assert.strictEqual((await ended).opt_out, long)
      const [entry] = await collect(trunkline.blockedNumbers.list())
      assert.lengthOf(entry?.reason ?? "", 150)
      assert.match(entry?.reason ?? "", /^Refused on a call: don't call me again .*…$/)
    })
  })

  it("is only reported where the list is left to the host", () =>
    withTrunkline({ simulator: refusing, optOutBySpeech: false }, async (trunkline) => {
      const { ended } = await trunkline.calls.create(call)
      assert.strictEqual((await ended).opt_out, "Please don't call me again")
      assert.deepStrictEqual(await collect(trunkline.blockedNumbers.list()), [])
    }))

  it("is nobody who says that they are busy", () =>
    withTrunkline(
      { simulator: { speed: 1000, default: ["Don't call me now, I'm driving.", "Bye."] } },
      async (trunkline) => {
        const { ended } = await trunkline.calls.create(call)
        assert.isNull((await ended).opt_out)
        assert.deepStrictEqual(await collect(trunkline.blockedNumbers.list()), [])
      }
    ))
})
