import { Invalid, type Issue } from "@trunkline/errors"
import { Carriers, Connections } from "@trunkline/telephony"
import { Array, Effect, Option } from "effect"
import type { Access } from "./Access.js"

const issue = (loc: Issue["loc"], msg: string): Issue => ({ loc, msg, type: "value_error" })

/** An issue for each entry that repeats an earlier one. */
const repeated = (list: string, ids: ReadonlyArray<string>, what?: string): ReadonlyArray<Issue> =>
  ids.flatMap((id, index) => ids.indexOf(id) < index ? [issue([list, index], `${what ?? id} is given twice`)] : [])

/**
 * Accounts, workspaces and keys that are given twice, and workspaces and keys whose account is not among those given, each
 * with its place. The text of a key is never repeated.
 */
export const accessIssues = ({ accounts, keys, workspaces }: Access): ReadonlyArray<Issue> => {
  const ids = accounts.map(({ account_id }) => account_id)
  const withoutAccount = (list: "workspaces" | "keys", owned: Access["workspaces"] | Access["keys"]) =>
    owned.flatMap(({ account_id }, index) =>
      ids.includes(account_id) ? [] : [issue([list, index, "account_id"], `There is no account "${account_id}"`)]
    )
  return [
    ...repeated("accounts", ids),
    ...repeated("workspaces", workspaces.map(({ org_id, workspace_id }) => `${org_id}/${workspace_id}`)),
    ...repeated("keys", keys.map(({ key }) => key.split("_")[2] ?? ""), "the public id of a key"),
    ...withoutAccount("workspaces", workspaces),
    ...withoutAccount("keys", keys)
  ]
}

/** Fails with all issues, if there are any. */
export const refuseAny = (issues: ReadonlyArray<Issue>): Effect.Effect<void, Invalid> =>
  Array.isNonEmptyReadonlyArray(issues) ? Effect.fail(new Invalid({ issues })) : Effect.void

/**
 * Refuses connections that would never carry a call, since no carrier serves their provider: fails with an issue for each,
 * which names the connection and the providers that there are.
 */
export const everyConnectionServed: Effect.Effect<void, Invalid, Carriers | Connections> = Effect.gen(function*() {
  const carriers = yield* Carriers
  const connections = yield* (yield* Connections).all
  const known = carriers.all.map(({ provider }) => `"${provider}"`).join(", ") || "none"
  yield* refuseAny(
    connections.flatMap(({ connection_id, provider }, index) =>
      Option.isSome(carriers.find(provider)) ? [] : [
        issue(
          ["connections", index, "provider"],
          `No carrier serves the provider "${provider}" of the connection "${connection_id}"; known: ${known}`
        )
      ]
    )
  )
})
