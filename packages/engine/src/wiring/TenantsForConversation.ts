import { Tenants } from "@trunkline/conversation"
import { type Scope, scopeKey } from "@trunkline/kernel"
import { AccountStore } from "@trunkline/rate-limits"
import { Cache, Effect, Layer, Option } from "effect"

/** Limits of the cache: the least recently used workspaces, and entries that are older, are looked up again. */
const remembered = { capacity: 1_024, timeToLive: "1 minute" } as const

/** The calls' view of accounts: a call asks the model for the account that owns its workspace, as the API does. */
export const tenantsForConversation = Layer.effect(
  Tenants,
  Effect.gen(function*() {
    const accounts = yield* AccountStore
    const tenants = yield* Cache.make({
      ...remembered,
      lookup: (scope: Scope) =>
        Effect.map(
          accounts.findWorkspace(scope),
          Option.match({ onNone: () => scopeKey(scope), onSome: ({ account_id }) => account_id })
        )
    })
    const service: Tenants.Service = { of: (scope) => tenants.get(scope) }
    return service
  })
)
