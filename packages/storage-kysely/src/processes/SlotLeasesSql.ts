import { Processes } from "@trunkline/kernel"
import { grantSlots, type SlotGrant, SlotLeases, type SlotRequest } from "@trunkline/telephony"
import { Duration, Effect, Layer } from "effect"
import { Sql } from "../sql/Sql.js"
import { statement, type Statements } from "../sql/Statement.js"

const findOthers = "select slots, wanted from slot_leases where resource = ? and process_id <> ?"
const put = `
  insert into slot_leases (resource, process_id, slots, wanted) values (?, ?, ?, ?)
  on conflict (resource, process_id) do update set slots = excluded.slots, wanted = excluded.wanted
`
const findHeld = "select resource from slot_leases where process_id = ?"
const remove = "delete from slot_leases where resource = ? and process_id = ?"
const isDead = "not exists (select 1 from processes where processes.process_id = slot_leases.process_id)"
const takeOver = `
  insert into slot_leases (resource, process_id, slots)
  select resource, cast(? as bigint), sum(slots) from slot_leases where ${isDead} group by resource
  on conflict (resource, process_id) do update set slots = slot_leases.slots + excluded.slots
`
const removeDead = `delete from slot_leases where ${isDead}`

/** Interval at which processes give back slots that they do not need, and ask again for those that they wait for. */
const settledEvery = Duration.millis(250)

interface LeaseRow {
  readonly slots: number
  readonly wanted: number
}

/** Takes over the slots of processes that are gone, together with their calls. */
export function* adoptSlots(process: number): Statements<void> {
  yield* statement(takeOver, [process])
  yield* statement(removeDead, [])
}

/** `SlotLeases` in a database that processes share; null where this process is the only one. */
export const SlotLeasesSql = {
  layer: Layer.effect(
    SlotLeases,
    Effect.gen(function*() {
      const { dialect, execute, statements } = yield* Sql
      const { id: process } = yield* Processes
      if (process === null) return null

      function* settle({ resource, ...request }: SlotRequest): Statements<SlotGrant> {
        if (dialect.lockName !== null) yield* statement(dialect.lockName, [`slots ${resource}`])
        const { rows } = yield* statement<LeaseRow>(findOthers, [resource, process])
        const grant = grantSlots(request, rows.map(({ slots, wanted }) => ({ slots, wanted: wanted > 0 })))
        yield* grant.slots === 0 && !grant.wanted
          ? statement(remove, [resource, process])
          : statement(put, [resource, process, grant.slots, grant.wanted ? 1 : 0])
        return grant
      }

      const service: SlotLeases.Service = {
        every: settledEvery,
        limitNames: Effect.map(
          execute<{ readonly resource: string }>(findHeld, [process]),
          ({ rows }) => rows.map(({ resource }) => resource)
        ),
        settle: (requests) =>
          statements(function*() {
            const grants: Array<SlotGrant> = []
            for (const request of requests) grants.push(yield* settle(request))
            return grants
          })
      }
      return service
    })
  )
}
