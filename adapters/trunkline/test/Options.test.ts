import { assert, describe, it } from "@effect/vitest"
import { createTrunkline, InvalidOption, openai, type TrunklineOptions } from "trunkline"
import { line, reminder, withFolder, withTrunkline } from "./Fixtures.js"

/** The error of a start with these options, as a caller without types could give them. */
const errorOf = async (options: object): Promise<unknown> => {
  try {
    await (await createTrunkline(options as TrunklineOptions)).close()
    return undefined
  } catch (error) {
    return error
  }
}

const cases: ReadonlyArray<readonly [string, object, option: string, word: string]> = [
  ["no data folder", {}, "data", ":memory:"],
  ["an option that does not exist", { data: ":memory:", agent: [] }, "agent", "there is no such option"],
  ["an unknown provider", { data: ":memory:", lines: [{ ...line, provider: "sipp" }] }, "lines.0.provider", "sipp"],
  ["a missing secret", { data: ":memory:", model: openai({}) }, "model", "OPENAI_API_KEY"],
  [
    "a field that does not exist",
    { data: ":memory:", agents: [{ app_id: "a", first_mesage: "Hi" }] },
    "first_mesage",
    ""
  ],
  [
    "two carriers of one name",
    { data: ":memory:", lines: [{ ...line, carrier: { place: () => Promise.reject(new Error("no")) } }] },
    "lines.0.provider",
    "taken"
  ],
  ["a model without methods", { data: ":memory:", model: {} }, "model", "generate or stream"],
  [
    "accelerated time on real lines",
    { data: ":memory:", lines: [{ ...line, provider: "http" }], simulator: { speed: 60 } },
    "simulator.speed",
    "simulated"
  ],
  [
    "a key of an unknown account",
    { data: ":memory:", access: { accounts: [], workspaces: [], keys: [{ account_id: "me", key: "sk_dev_me_x" }] } },
    "access.keys.0.account_id",
    "me"
  ]
]

describe("createTrunkline", () => {
  for (const [name, options, option, word] of cases) {
    it(`rejects ${name} with one clear error`, async () => {
      const error = await errorOf(options)
      assert.instanceOf(error, InvalidOption)
      assert.include(error.message, option)
      assert.include(error.message, word)
    })
  }

  it("rejects a folder that another engine uses", () =>
    withFolder((data) =>
      withTrunkline({ data }, async () => {
        const error = await errorOf({ data, agents: [reminder], lines: [line] })
        assert.strictEqual(Reflect.get(error as object, "_tag"), "DataFolderInUse")
        assert.include(String(error), data)
      })
    ))

  it("rejects a folder that cannot be created", async () => {
    const error = await errorOf({ data: "/dev/null/data" })
    assert.strictEqual(Reflect.get(error as object, "_tag"), "DataFolderUnusable")
  })

  it("keeps what it stored in its folder", () =>
    withFolder(async (data) => {
      const created = await withTrunkline({ data }, (trunkline) => trunkline.keys.create({ label: "desk" }))
      const keys = await withTrunkline({ data }, (trunkline) => trunkline.keys.list())
      assert.deepStrictEqual(keys.map(({ key_id, label }) => [key_id, label]), [[created.key_id, "desk"]])
    }))
})
