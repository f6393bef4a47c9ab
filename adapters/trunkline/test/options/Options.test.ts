import { assert, describe, it } from "@effect/vitest"
import { createTrunkline, InvalidOption, type TrunklineOptions } from "trunkline"
import { line, reminder, withFolder, withTrunkline } from "../Fixtures.js"
import { wrongOptions } from "./WrongOptions.js"

/** The error of a start with these options, as a caller without types could give them. */
const errorOf = async (options: object): Promise<unknown> => {
  try {
    await (await createTrunkline(options as TrunklineOptions)).close()
    return undefined
  } catch (error) {
    return error
  }
}

describe("createTrunkline", () => {
  for (const [name, options, option, word] of wrongOptions) {
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
