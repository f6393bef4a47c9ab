import { layer } from "@effect/vitest"
import type { Layer } from "effect"
import { attackLaws } from "./laws/AttackLaws.js"
import { factsLaws } from "./laws/FactsLaws.js"
import { isolationLaws } from "./laws/IsolationLaws.js"
import { questionLaws } from "./laws/QuestionLaws.js"
import { resultLaws } from "./laws/ResultLaws.js"
import type { Warehouse } from "./Warehouse.js"

/** What a warehouse can do beside what all can. */
export interface WarehouseLawsOptions {
  /**
   * Whether it stops statements that take too long or too much: then those run too, so give it a short deadline, such as
   * one second. Default false.
   */
  readonly stops?: boolean
  /** Whether it tells the types of columns that come from the view. Default false. */
  readonly types?: boolean
}

/**
 * The laws of `Warehouse`, in real time. Every law has workspaces of its own, so facts may live as long as the layer; what
 * it keeps from an earlier run has to be gone.
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
