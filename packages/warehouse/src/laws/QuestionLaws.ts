import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Warehouse } from "../Warehouse.js"
import { callFacts, stretchOf } from "./CallFacts.js"
import { lawScope, type LawsTest } from "./LawsTest.js"
import { collectedQuestions } from "./questions/Collected.js"
import { peopleQuestions } from "./questions/People.js"
import { qualityQuestions } from "./questions/Quality.js"
import { volumeQuestions } from "./questions/Volume.js"

const questions = [...volumeQuestions, ...qualityQuestions, ...peopleQuestions, ...collectedQuestions]

/** Questions that analysts have, answered by SQL as by counting. */
export const questionLaws = (it: LawsTest) => {
  const scope = lawScope("questions")
  const facts = callFacts(scope)
  for (const { answer, asks, parameters = [], sql } of questions) {
    it.effect(`answers: ${asks}`, () =>
      Effect.gen(function*() {
        const warehouse = yield* Warehouse
        yield* warehouse.apply(scope, stretchOf(facts))
        const expected = answer(facts)
        assert.isNotEmpty(expected)
        const { columns, rows, truncated } = yield* warehouse.query(scope, { text: sql, parameters, maxRows: 1000 })
        assert.deepStrictEqual(rows, expected)
        assert.isFalse(truncated)
        assert.deepStrictEqual(yield* warehouse.prepare(scope, { text: sql, parameters }), columns)
      }))
  }
}
