import { macroTask } from "@trunkline/kernel"
import { type Change, factRow } from "@trunkline/warehouse"
import { Effect } from "effect"
import type { StoredChange } from "./Messages.js"

/** How many rows are made without a pause: about a millisecond's worth. */
const atOnce = 20

const stored = ({ attempt_id, fact }: Change): StoredChange => ({
  attempt_id,
  row: fact && factRow(fact)
})

/** What the writer needs of changes, made some at a time, so that others get their turn meanwhile. */
export const storedChanges = (changes: ReadonlyArray<Change>): Effect.Effect<ReadonlyArray<StoredChange>> =>
  Effect.gen(function*() {
    const all: Array<StoredChange> = []
    for (const [index, change] of changes.entries()) {
      if (index > 0 && index % atOnce === 0) yield* macroTask
      all.push(stored(change))
    }
    return all
  })
