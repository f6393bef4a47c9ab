import { assert, describe, it } from "@effect/vitest"
import { everyMinute } from "../page/campaigns/dials.js"

const at = (minute: number, dials: number) => ({ minute: new Date(minute * 60_000).toISOString(), dials })

describe("the dials of each minute in the console", () => {
  it("are none in the minutes between those in which it dials", () => {
    assert.deepStrictEqual(everyMinute([at(7, 53), at(10, 4), at(11, 1)]), [[420, 480, 540, 600, 660], [
      53,
      0,
      0,
      4,
      1
    ]])
    assert.deepStrictEqual(everyMinute([at(7, 53)]), [[420], [53]])
    assert.deepStrictEqual(everyMinute([]), [[], []])
  })
})
