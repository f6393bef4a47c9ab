import { assert, describe, it } from "@effect/vitest"
import { withFolder, withTrunkline } from "../Fixtures.js"

const key = "sk_test_desk_chosenByTheHost"

describe("a key that is ensured", () => {
  it("is there once, whatever the number of starts, and opens the interface", () =>
    withFolder(async (data) => {
      const start = (label: string) =>
        withTrunkline({ data }, async (trunkline) => {
          const ensured = await trunkline.keys.ensureKey({ key, label })
          const { GET } = trunkline.fetch()
          const url = "http://host/v1/orgs/main/workspaces/main/deployments"
          const { status } = await GET(new Request(url, { headers: { "api-subscription-key": ensured.key } }))
          return { status, keys: await trunkline.keys.list() }
        })
      await start("first")
      const { keys, status } = await start("second")
      assert.deepStrictEqual(keys.map(({ key_id, label }) => [key_id, label]), [["desk", "second"]])
      assert.strictEqual(status, 200)
    }))

  it("is rejected when it is no key, is missing or was revoked, and no message repeats it", () =>
    withTrunkline({}, async (trunkline) => {
      const problem = (given: string | undefined) =>
        trunkline.keys.ensureKey({ key: given }).then(() => "", (error: Error) => error.message)
      const form = "key: Must be a key of the form sk_<env>_<id>_<secret>"
      assert.deepStrictEqual(await Promise.all([problem("hunter2"), problem(undefined)]), [form, form])
      await trunkline.keys.ensureKey({ key })
      await trunkline.keys.revoke("desk")
      assert.match(await problem(key), /^key: .*revoked/)
    }))

  it("is not taken from another account", () =>
    withTrunkline({}, async (trunkline) => {
      await trunkline.accounts.put({ account_id: "acme" })
      await trunkline.keys.ensureKey({ key })
      const error = await trunkline.keys.ensureKey({ key, account: "acme" }).then(() => "", (error: Error) =>
        error.message)
      assert.match(error, /another account/)
      assert.deepStrictEqual(await trunkline.keys.list({ account: "acme" }), [])
    }))
})
