import { assert, describe, it } from "vitest"
import { bundled } from "../../../../test/programs/Programs.js"
import { isFullSize } from "../../../../test/setup/Scale.js"
import { surviveKills } from "./ImportKills.js"

const command = [await bundled("examples/server/src/main.ts")]
const rows = 30_000

describe.runIf(isFullSize)("a server that is killed while it imports a cohort", () => {
  it("ends with the same contacts and files as one that is not killed", async () => {
    const { outcome: expected } = await surviveKills({ command, rows, source: "upload", kills: [] })
    assert.strictEqual(expected.status, "completed")
    assert.isAbove(expected.count, rows * 0.8)
    assert.deepStrictEqual(expected.files, ["cohort", "cohort_transformation", "rejected_records"])
    assert.isTrue(expected.isWhole)
    const uploaded = await surviveKills({
      command,
      rows,
      source: "upload",
      kills: [{ during: "receiving", share: 0.2 }, { during: "reading", share: 0.4 }]
    })
    assert.deepStrictEqual(uploaded, { hits: 2, outcome: expected })
    const fetched = await surviveKills({ command, rows, source: "url", kills: [{ during: "receiving", share: 0.5 }] })
    assert.deepStrictEqual(fetched, { hits: 1, outcome: expected })
  })
})
