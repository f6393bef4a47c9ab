import { assert, describe, it } from "@effect/vitest"
import { isOver, peopleOf, remainderOf } from "../page/api/people.js"

describe("the people of a campaign in the console", () => {
  it("are also those who are not taken from their lists yet", () => {
    const contacts = { total_enrolled: 3, not_enrolled: 6, waiting: 1, calling: 1, finished: 1 }
    assert.strictEqual(peopleOf({ contacts }), 9)
    assert.strictEqual(remainderOf({ contacts }), 7)
  })

  it("wait no more once it is over", () => {
    assert.deepStrictEqual((["active", "paused", "ended", "cancelled"] as const).map((status) => isOver({ status })), [
      false,
      false,
      true,
      true
    ])
  })
})
