import { Tenants } from "@trunkline/conversation"
import { scopeKey } from "@trunkline/kernel"
import { AccountStore } from "@trunkline/rate-limits"
import { Effect, Layer, Option } from "effect"

/** The calls' view of accounts: a call asks the model for the account that owns its workspace, as the API does. */
export const tenantsForConversation = Layer.effect(
  Tenants,
  Effect.map(AccountStore, (accounts): Tenants.Service => ({
    of: (scope) =>
      Effect.map(
        accounts.findWorkspace(scope),
        Option.match({ onNone: () => scopeKey(scope), onSome: ({ account_id }) => account_id })
      )
  }))
)
