import { assert, describe, it } from "@effect/vitest"
import { agreementLine, agreementOf, labelledTranscripts, majority, readVote, wilsonShare } from "../src/index.js"

describe("the labelled transcripts", () => {
  it("are 200, no two alike, half of each rubric passes, and both sides speak in each", () => {
    assert.strictEqual(labelledTranscripts.length, 200)
    assert.strictEqual(
      new Set(labelledTranscripts.map(({ rubric, transcript }) => `${rubric}\n${transcript}`)).size,
      200
    )
    for (const rubric of new Set(labelledTranscripts.map((label) => label.rubric))) {
      const own = labelledTranscripts.filter((label) => label.rubric === rubric)
      assert.deepStrictEqual([own.length, own.filter(({ passes }) => passes).length], [20, 10], rubric)
    }
    for (const { transcript } of labelledTranscripts) {
      assert.isTrue(transcript.split("\n").every((line) => /^(agent|caller): \S/u.test(line)), transcript)
      assert.match(transcript, /^agent: /mu)
      assert.match(transcript, /^caller: /mu)
    }
  })
})

describe("a judge", () => {
  it("is read, whatever stands around its verdict", () => {
    assert.deepStrictEqual(readVote(`{"reason": "Turn 2 says \\"yes\\".", "verdict": "pass"}`), {
      passes: true,
      reason: `Turn 2 says "yes".`
    })
    assert.deepStrictEqual(readVote("Sure!\n```json\n{ \"verdict\" : \"FAIL\" }\n```"), { passes: false, reason: "" })
    assert.isNull(readVote("I cannot tell."))
  })

  it("goes by the majority of its votes, and fails at a tie", () => {
    const [yes, no] = [{ passes: true, reason: "yes" }, { passes: false, reason: "no" }]
    assert.deepStrictEqual(majority([yes, no, yes]), yes)
    assert.deepStrictEqual(majority([yes, no]), no)
  })

  it("has an agreement with an interval, by rubric, and its errors by kind", () => {
    const [first] = labelledTranscripts
    const judged = labelledTranscripts.map((label) => ({
      label,
      passes: label === first ? !label.passes : label.passes
    }))
    const agreement = agreementOf(judged)
    assert.deepStrictEqual([agreement.agreed, agreement.of, agreement.falsePasses, agreement.falseFails], [
      199,
      200,
      0,
      1
    ])
    assert.deepStrictEqual(agreement.rubrics[0], { rubric: first?.rubric, agreed: 19, of: 20 })
    assert.strictEqual(
      agreementLine(agreement),
      "The judge agrees with 199 of 200 labelled transcripts, 99.5 % (95 % interval 97.2 % to 99.9 %); "
        + "it passed 0 that fail, and failed 1 that pass"
    )
  })

  it("has the interval of Wilson, also for shares of none and of all", () => {
    const near = (found: number, expected: number) => assert.closeTo(found, expected, 0.0005)
    const { high, low } = wilsonShare(81, 263)
    near(low, 0.2553)
    near(high, 0.3662)
    near(wilsonShare(0, 20).high, 0.1611)
    near(wilsonShare(20, 20).low, 0.8389)
    assert.deepStrictEqual(wilsonShare(0, 0), { share: 0, low: 0, high: 1 })
  })
})
