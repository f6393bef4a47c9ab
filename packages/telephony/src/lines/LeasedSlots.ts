import { type Scope, scopeKey } from "@trunkline/kernel"
import { Effect } from "effect"
import type { Connection } from "../carriers/Connection.js"
import { channelsOf, makeLeasedLimits, outboundOf, type ResourceUse, totalOf } from "./LeasedLimits.js"
import { SlotAllocator } from "./SlotAllocator.js"
import type { SlotLeases } from "./SlotLeases.js"
import type { Claimant } from "./SlotStates.js"
import { outboundLimit, type WorkspaceLimits } from "./WorkspaceLimits.js"

/** Asks the other processes for slots at once; the result completes when they have answered. */
type AskForSlots = (workspace: Scope, connection: Connection, claimant: Claimant) => Effect.Effect<void>

/** Bookkeeping of the slots that this process has leased, and the way to ask the others for more. */
export const makeLeasedSlots = (
  leases: SlotLeases.Service,
  limitsOf: (workspace: string) => WorkspaceLimits
) =>
  Effect.gen(function*() {
    const useOf = (resource: string): ResourceUse => {
      const space = resource.indexOf(" ")
      const [kind, key] = [resource.slice(0, space), resource.slice(space + 1)]
      if (kind === "connection") return allocator.channelUseOf(key)
      const { hasWaiters, outbound, total } = allocator.useOf(key)
      return { used: kind === "outbound" ? outbound : total, hasWaiters }
    }
    const limits = yield* makeLeasedLimits(leases, { useOf, onGrown: () => allocator.limitsChanged() })
    const isLimited = (workspace: string) => limitsOf(workspace).limit !== Infinity
    // Processes lease nothing of a workspace without a limit.
    const allocator = new SlotAllocator({
      total: (workspace) => isLimited(workspace) ? limits.total(workspace) : Infinity,
      outbound: (workspace) => isLimited(workspace) ? limits.outbound(workspace) : Infinity,
      channels: limits.channels
    })

    const ask: AskForSlots = (scope, { connection_id, max_channels }, claimant) => {
      const workspace = scopeKey(scope)
      const isInbound = claimant._tag === "Inbound"
      const sharedWorkspaceLimits = limitsOf(workspace)
      return limits.ask([
        ...(isLimited(workspace) ? [{ resource: totalOf(workspace), limit: sharedWorkspaceLimits.limit }] : []),
        ...(isInbound || !isLimited(workspace)
          ? []
          : [{ resource: outboundOf(workspace), limit: outboundLimit(sharedWorkspaceLimits) }]),
        ...(max_channels === undefined ? [] : [{ resource: channelsOf(connection_id), limit: max_channels }])
      ])
    }
    return { allocator, ask }
  })
