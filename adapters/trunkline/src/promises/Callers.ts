import { Invalid, NotFound } from "@trunkline/errors"
import { Scope } from "@trunkline/kernel"
import { AccountStore, KeyId, type Principal } from "@trunkline/rate-limits"
import { Effect, Option, Schema } from "effect"

/** A workspace, and the host as its caller. */
export interface WorkspaceCall {
  readonly workspace: Scope
  readonly caller: Principal
}

const hostKey = KeyId.make("host")

const decodeScope = Schema.decodeUnknownOption(Scope)

/** Reads a workspace as it is written in options: `org/workspace`. */
const workspaceNamed = (name: string): Effect.Effect<Scope, Invalid> => {
  const [org_id, workspace_id, ...more] = name.split("/")
  return Effect.mapError(
    more.length > 0 ? Option.none() : decodeScope({ org_id, workspace_id }),
    () => Invalid.at(["workspace"], "value_error", `"${name}" is not of the form org/workspace`)
  )
}

/**
 * Finds a workspace and makes the host its caller: code in the same process may use every feature and model, and its usage
 * is charged to the account of the workspace. Fails with `NotFound` when there is no such workspace.
 */
export const callerOf = (name: string): Effect.Effect<WorkspaceCall, Invalid | NotFound, AccountStore> =>
  Effect.gen(function*() {
    const accounts = yield* AccountStore
    const workspace = yield* workspaceNamed(name)
    const missing = () => new NotFound({ resource: "workspace", id: name })
    const { account_id } = yield* Effect.mapError(yield* accounts.findWorkspace(workspace), missing)
    const { plan } = yield* Effect.mapError(yield* accounts.findAccount(account_id), missing)
    const caller: Principal = {
      account_id,
      plan,
      key_id: hostKey,
      label: "host",
      workspaces: "*",
      features: ["beta"],
      models: null,
      budget: null
    }
    return { workspace, caller }
  })
