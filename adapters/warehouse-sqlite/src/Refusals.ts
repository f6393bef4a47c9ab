import type { RunFailure, StatementRefused } from "@trunkline/sqlite-runners"
import { QueryRefused, refusalOfSqlite, WarehouseBusy } from "@trunkline/warehouse"
import { Duration, Effect } from "effect"
import { breach, isLocked, type WarehouseUnwritable } from "./WarehouseWriter.js"

/** When to try again where another process keeps the file locked. */
const afterLock = Duration.seconds(5)

const refusedAs: Readonly<Partial<Record<StatementRefused["kind"], QueryRefused>>> = {
  MultipleStatements: new QueryRefused({
    code: "MULTIPLE_STATEMENTS",
    message: "Only one SELECT can be run. Remove what follows the semicolon."
  }),
  NotReadOnly: new QueryRefused({ code: "NOT_READ_ONLY", message: "Only a SELECT can be run." })
}

/** What is refused for the sake of other workspaces; says nothing of them. */
const isolation = new QueryRefused({
  code: "TENANT_ISOLATION_BREACH",
  message: "The facts of this workspace cannot be read safely, so nothing was read."
})

const stopped = {
  Timeout: new QueryRefused({
    code: "TIMEOUT",
    message: "The query took too long. Filter on effective_datetime, or ask for less."
  }),
  ResourceExceeded: new QueryRefused({
    code: "RESOURCE_LIMIT",
    message: "The query needed too much memory or disk. Filter on effective_datetime, or ask for less."
  })
}

type Failure = RunFailure | WarehouseUnwritable

/** What a failure is to an analyst; dies of what is nobody's but ours. */
export const refused = (failure: Failure): Effect.Effect<never, QueryRefused | WarehouseBusy> => {
  switch (failure._tag) {
    case "StatementRefused":
      return refusedAs[failure.kind] ?? refusalOfSqlite(failure.message)
    case "RunStopped":
      return stopped[failure.kind]
    case "RunnersBusy":
      return new WarehouseBusy({ retryAfter: failure.retryAfter })
    case "FileUnusable":
      return failure.kind === "Mismatch" ? isolation : Effect.die(failure)
    case "WarehouseUnwritable":
      if (isLocked(failure)) return new WarehouseBusy({ retryAfter: afterLock })
      return failure.reason === breach ? isolation : Effect.die(failure)
  }
}
