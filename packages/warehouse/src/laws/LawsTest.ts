import type { Vitest } from "@effect/vitest"
import { OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { Effect } from "effect"
import { type Parameter, Warehouse } from "../Warehouse.js"

/** How the laws write tests: in real time, with a warehouse. */
export type LawsTest = Vitest.MethodsNonLive<Warehouse, true>

/** A workspace for one law. */
export const lawScope = (name: string, workspace = "main"): Scope =>
  new Scope({ org_id: OrgId.make(`law-${name}`), workspace_id: WorkspaceId.make(workspace) })

/** The rows of a statement. */
export const rowsOf = (
  scope: Scope,
  text: string,
  options: { readonly parameters?: ReadonlyArray<Parameter>; readonly maxRows?: number } = {}
) =>
  Effect.flatMap(Warehouse, (warehouse) => {
    const { maxRows = 1000, parameters = [] } = options
    return Effect.map(warehouse.query(scope, { text, parameters, maxRows }), ({ rows }) => rows)
  })
