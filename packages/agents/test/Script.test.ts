import { assert, describe, it } from "@effect/vitest"
import { advance, AgentVersion, exits, type ScriptMove, type ScriptState, startAt } from "@trunkline/agents"
import { collections } from "@trunkline/agents/testing"
import { FastCheck, Schema } from "effect"

const script = Schema.decodeUnknownSync(AgentVersion)(collections).script ?? assert.fail("the version has a script")
const opening = advance(script, startAt(undefined), null)

/** The moves after a list of replies. */
const moves = (...answers: ReadonlyArray<string>): ReadonlyArray<ScriptMove> => {
  const moves = [opening]
  let state: ScriptState = opening.state
  for (const answer of answers) {
    const move = advance(script, state, answer)
    moves.push(move)
    state = move.state
  }
  return moves
}

describe("advance", () => {
  it("begins with the first step, or with the given one", () => {
    assert.strictEqual(opening.state.step, "identify")
    assert.strictEqual(advance(script, startAt("promise"), null).state.step, "promise")
    assert.strictEqual(advance(script, startAt("nowhere"), null).state.step, "identify")
  })

  it("says steps that do not listen together with the next one that does", () => {
    const move = moves("Yes, speaking")[1]
    assert.deepStrictEqual(move?.set, { right_person: true })
    assert.strictEqual(move?.say.length, 2)
    assert.strictEqual(move?.state.step, "promise")
  })

  it("stores the digits of a promise and says goodbye", () => {
    const last = moves("हाँ जी", "मैं १५ तारीख को दूँगा")[2]
    assert.deepStrictEqual(last?.set, { promise_date: "15" })
    assert.strictEqual(last?.next, "goodbye")
  })

  it("follows the first expectation that matches", () => {
    assert.strictEqual(moves("No, I am busy")[1]?.next, "reschedule")
  })

  it("follows the target of a step that does not listen", () => {
    const last = moves("Sorry, wrong number")[1]
    assert.strictEqual(last?.next, "goodbye")
    assert.strictEqual(last?.say.length, 1)
  })

  it("repeats a step without a match up to its retries, then follows `otherwise`", () => {
    const [, first, second] = moves("purple", "purple")
    assert.strictEqual(first?.state.misses, 1)
    assert.strictEqual(first?.next, "listen")
    assert.strictEqual(second?.next, "business_retry")
  })

  it("does not match a reply without digits where digits are stored", () => {
    assert.strictEqual(moves("yes", "soon")[2]?.state.misses, 1)
  })

  it.prop("listens or ends after any replies", [FastCheck.array(FastCheck.string())], ([answers]) => {
    for (const move of moves(...answers)) {
      assert.strictEqual(move.next === "listen", move.state.step !== null)
      assert.isTrue(move.next === "listen" || exits.includes(move.next))
    }
  })

  it("leaves a cycle of steps that never listen", () => {
    const version = Schema.decodeUnknownSync(AgentVersion)({
      app_version: 1,
      committed: true,
      script: [{ id: "a", listen: false, say: "a" }, { id: "b", listen: false, say: "b", otherwise: "a" }]
    })
    const move = version.script && advance(version.script, startAt(undefined), null)
    assert.deepStrictEqual([move?.next, move?.say], ["goodbye", ["a", "b"]])
  })
})
