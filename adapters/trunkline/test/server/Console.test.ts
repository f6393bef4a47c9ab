import { createTrunkline } from "trunkline"
import { assert, describe, it } from "vitest"

// The sources hold no built page: the test of the published packages opens one.
describe("the console of an engine", () => {
  it("refuses options that it does not know", async () => {
    const trunkline = await createTrunkline({ data: ":memory:", logLevel: "none" })
    const refused = await trunkline.console({ readonly: true } as object).then(
      () => "",
      ({ message }) => String(message)
    )
    assert.match(refused, /readonly: is not a known field; did you mean readOnly\?/)
    await trunkline.close()
  })
})
