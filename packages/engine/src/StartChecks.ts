import { Invalid } from "@trunkline/errors"
import { Processes } from "@trunkline/kernel"
import { Carriers, Connections } from "@trunkline/telephony"
import { Effect, Option } from "effect"
import { failWithIssues } from "./Access.js"
import { hasAllRoles, readRoles, type Role } from "./Roles.js"

/** Fails with an issue for each connection whose provider no carrier serves, since it could never carry a call. */
export const checkConnections: Effect.Effect<void, Invalid, Carriers | Connections> = Effect.gen(function*() {
  const carriers = yield* Carriers
  const connections = yield* (yield* Connections).list
  const providers = carriers.list.map(({ provider }) => `"${provider}"`).join(", ") || "none"
  yield* failWithIssues(
    connections.flatMap(({ connection_id, provider }, index) =>
      Option.isSome(carriers.find(provider)) ? [] : [
        {
          loc: ["connections", index, "provider"],
          msg: `No carrier serves the provider "${provider}" of the connection "${connection_id}"; known: ${providers}`,
          type: "value_error" as const
        }
      ]
    )
  )
})

/** Fails unless this process can have the roles. Only processes that share their stores may leave some to others. */
export const checkRoles = (roles: ReadonlyArray<Role>): Effect.Effect<void, Invalid> =>
  Effect.gen(function*() {
    const read = readRoles(roles)
    if (typeof read === "string") return yield* Invalid.at(["roles"], "value_error", read)
    const { id } = yield* Processes
    if (id === null && !hasAllRoles(roles)) {
      return yield* Invalid.at(["roles"], "value_error", "must be all where no other process shares the stores")
    }
  })
