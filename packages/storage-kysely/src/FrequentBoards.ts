import { BoardId, BoardStore } from "@trunkline/boards"
import { FactsLog } from "@trunkline/warehouse"
import { factOf, factScope } from "@trunkline/warehouse/testing"
import { Effect } from "effect"

const scope = factScope("frequent")
const fact = factOf(scope, 1)
const board_id = BoardId.make("00000000-0000-4000-8000-000000000000")

/** What boards ask of the stores all the time, by name and each once. */
export const frequentBoards: Readonly<Record<string, Effect.Effect<unknown, never, BoardStore | FactsLog>>> = {
  "a board": Effect.flatMap(
    BoardStore,
    (store) =>
      Effect.all([store.find(scope, board_id), store.findByName(scope, "Calls"), store.remove(scope, board_id)])
  ),
  "the newest boards": Effect.flatMap(BoardStore, (store) => store.list(scope, { limit: 50, offset: 0 })),
  "facts for a warehouse": Effect.flatMap(FactsLog, (log) =>
    Effect.all([
      log.append(scope, fact),
      log.find(scope, fact.attempt_id),
      log.read(scope, { after: 0, limit: 500 }),
      log.end(scope),
      log.workspaces,
      log.erase(scope, fact.user_identifier)
    ]))
}
