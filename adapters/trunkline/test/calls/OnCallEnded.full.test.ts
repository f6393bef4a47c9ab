import { assert, describe, it } from "@effect/vitest"
import { call, later, withFolder, withTrunkline } from "../Fixtures.js"

describe("onCallEnded", () => {
  it("is called again until it resolves", async () => {
    let tries = 0
    const resolved = later<string>()
    await withTrunkline({
      onCallEnded: ({ attempt_id }) => {
        tries += 1
        if (tries === 1) throw new Error("the host is not ready")
        resolved.resolve(attempt_id)
      }
    }, async (trunkline) => {
      const { attempt_id } = await trunkline.calls.create(call)
      assert.strictEqual(await resolved.promise, attempt_id)
      assert.strictEqual(tries, 2)
    })
  }, 60_000)

  it("is called for calls of an earlier process on the same folder", () =>
    withFolder(async (data) => {
      const attempt = await withTrunkline({
        data,
        onCallEnded: () => Promise.reject(new Error("the host is not ready"))
      }, async (trunkline) => {
        const { attempt_id, ended } = await trunkline.calls.create(call)
        await ended
        return attempt_id
      })
      const heard = later<string>()
      const onCallEnded = ({ attempt_id }: { readonly attempt_id: string }) => heard.resolve(attempt_id)
      assert.strictEqual(await withTrunkline({ data, onCallEnded }, () => heard.promise), attempt)
    }), 60_000)
})
