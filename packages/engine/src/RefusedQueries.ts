import type { Runs } from "@trunkline/boards"
import { NotServedHere } from "@trunkline/errors"
import { Effect } from "effect"
import type { Role } from "./Roles.js"

/** Queries of a process without a warehouse. */
export const refusedQueries = (roles: ReadonlyArray<Role>) => {
  const refuse = () => Effect.die(new NotServedHere({ needed: "boards", roles }))
  const runs: typeof Runs.Service = {
    preview: refuse,
    widget: refuse,
    tab: refuse,
    widgetUncached: refuse,
    invalidate: () => Effect.void
  }
  return { runs, charts: { render: refuse } }
}
