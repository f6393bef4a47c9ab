import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Warehouse } from "../Warehouse.js"
import { attackLaws } from "./AttackLaws.js"
import { factsLaws } from "./FactsLaws.js"
import { isolationLaws } from "./IsolationLaws.js"
import { callFacts, changeBatchOf, lawScope, type LawsTest } from "./LawFixtures.js"
import { collectedQuestions } from "./questions/Collected.js"
import { contactQuestions } from "./questions/Contacts.js"
import { qualityQuestions } from "./questions/Quality.js"
import { volumeQuestions } from "./questions/Volume.js"
import { resultLaws } from "./ResultLaws.js"

const questions = [...volumeQuestions, ...qualityQuestions, ...contactQuestions, ...collectedQuestions]

/** Answers typical questions by SQL and compares with counting. */
const questionLaws = (it: LawsTest) => {
  const scope = lawScope("questions")
  const facts = callFacts(scope)
  for (const { expected: answer, question, parameters = [], sql } of questions) {
    it.effect(`answers: ${question}`, () =>
      Effect.gen(function*() {
        const warehouse = yield* Warehouse
        yield* warehouse.apply(scope, changeBatchOf(facts))
        const reference = answer(facts)
        assert.isNotEmpty(reference)
        const { columns, rows, truncated } = yield* warehouse.query(scope, { text: sql, parameters, maxRows: 1000 })
        assert.deepStrictEqual(rows, reference)
        assert.isFalse(truncated)
        assert.deepStrictEqual(yield* warehouse.prepare(scope, { text: sql, parameters }), columns)
      }))
  }
}

/** Capabilities that not every warehouse has. */
export interface WarehouseLawsOptions {
  /**
   * Set when the warehouse stops statements that take too long or too much memory; such statements then run as well, so
   * configure a short deadline, such as one second. Default false.
   */
  readonly stops?: boolean
  /** Set when the warehouse reports types of columns that come from the view. Default false. */
  readonly types?: boolean
}

/**
 * Laws of `Warehouse`, in real time. Every law uses its own workspaces, so facts may live as long as the layer; data of
 * earlier runs must be gone.
 */
export const warehouseLaws = <E>(
  name: string,
  live: Layer.Layer<Warehouse, E>,
  { stops = false, types = false }: WarehouseLawsOptions = {}
) =>
  layer(live, { excludeTestServices: true })(`Warehouse laws: ${name}`, (it) => {
    factsLaws(it)
    resultLaws(it, { types })
    questionLaws(it)
    isolationLaws(it)
    attackLaws(it, { stops })
  })
