import { AttemptId, CampaignId, ConnectionId, macroTask, OrgId, unchecked, WorkspaceId } from "@trunkline/kernel"
import type { Attempt, AttemptStore, OpenAttempt } from "@trunkline/telephony"
import { type Context, Effect } from "effect"
import { adoptSlots } from "../processes/SlotLeasesSql.js"
import type { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { statement, type Statements } from "../sql/Statement.js"

/** Number of unfinished attempts read per statement. */
const pageSize = 1_000

interface OpenRow {
  readonly attempt_id: string
  readonly org_id: string
  readonly workspace_id: string
  readonly kind: Attempt["kind"]
  readonly campaign_id: string | null
  readonly connection_id: string
  readonly state: Attempt["state"]
}

const openAttemptOf = ({ attempt_id, campaign_id, connection_id, kind, state, ...scope }: OpenRow): OpenAttempt => ({
  attempt_id: AttemptId.make(attempt_id, unchecked),
  org_id: OrgId.make(scope.org_id, unchecked),
  workspace_id: WorkspaceId.make(scope.workspace_id, unchecked),
  kind,
  campaign_id: campaign_id === null ? null : CampaignId.make(campaign_id, unchecked),
  connection_id: ConnectionId.make(connection_id, unchecked),
  state
})

/** The columns of an unfinished attempt. */
const openColumns = ({ field }: SqlDialect) => `
  attempt_id, connection_id, state,
  ${field("body", "org_id")} as org_id,
  ${field("body", "workspace_id")} as workspace_id,
  ${field("body", "kind")} as kind,
  ${field("body", "campaign_id")} as campaign_id
`
const findUnfinished = (dialect: SqlDialect) => `
  select ${openColumns(dialect)} from attempts
  where state <> 'ended' and attempt_id > ?
  order by attempt_id limit ${pageSize}
`
const findClaimed = (dialect: SqlDialect, of: string) => `
  select ${openColumns(dialect)} from attempts
  where state <> 'ended' and state = 'claimed' ${of}
  order by attempt_id limit ${pageSize}
`
const findAbandoned = `
  select 1 as found from attempts
  where state <> 'ended' and not exists (select 1 from processes where processes.process_id = attempts.process_id)
  limit 1
`
const adoptMore = (dialect: SqlDialect) => `
  update attempts set process_id = ?
  where attempt_id in (
    select attempt_id from attempts
    where state <> 'ended'
      and not exists (select 1 from processes where processes.process_id = attempts.process_id)
    order by attempt_id limit ${pageSize} ${dialect.skipLocked}
  )
  returning ${openColumns(dialect)}
`

/** Takes over attempts and slots of processes that are gone, while no other process does. */
function* adoptAttempts(dialect: SqlDialect, process: number): Statements<ReadonlyArray<OpenAttempt>> {
  const { rows: [firstRow] } = yield* statement(findAbandoned, [])
  if (firstRow !== undefined && dialect.lockName !== null) yield* statement(dialect.lockName, ["adoption"])
  const adoptions: Array<OpenAttempt> = []
  for (let isDone = firstRow === undefined; !isDone;) {
    const { rows } = yield* statement<OpenRow>(adoptMore(dialect), [process])
    adoptions.push(...rows.map(openAttemptOf))
    isDone = rows.length < pageSize
  }
  yield* adoptSlots(process)
  return adoptions.sort((a, b) => (a.attempt_id < b.attempt_id ? -1 : 1))
}
const findElsewhere = "select 1 as found from attempts where attempt_id = ? and state <> 'ended' and process_id <> ?"

/** The methods of `AttemptStore` for unfinished attempts; `process` is null for a process that shares them with no other. */
export const openAttempts = (
  { dialect, execute, statements }: Context.Tag.Service<typeof Sql>,
  process: number | null
): Pick<Context.Tag.Service<typeof AttemptStore>, "adopt" | "claimed" | "isCarriedElsewhere" | "unfinished"> => {
  const find = findUnfinished(dialect)
  const unfinishedAfter = (id: string): Effect.Effect<ReadonlyArray<OpenAttempt>> =>
    Effect.flatMap(execute<OpenRow>(find, [id]), ({ rows }) => {
      const attempts = rows.map(openAttemptOf)
      const last = attempts.at(-1)
      if (last === undefined || attempts.length < pageSize) return Effect.succeed(attempts)
      const rest = Effect.zipRight(macroTask, unfinishedAfter(last.attempt_id))
      return Effect.map(rest, (more) => [...attempts, ...more])
    })
  const unfinished = unfinishedAfter("")
  const claimedOf = (of: string, values: ReadonlyArray<number>) =>
    Effect.map(execute<OpenRow>(findClaimed(dialect, of), values), ({ rows }) => rows.map(openAttemptOf))
  if (process === null) {
    const claimed = claimedOf("", [])
    return { unfinished, claimed, adopt: unfinished, isCarriedElsewhere: () => Effect.succeed(false) }
  }
  return {
    unfinished,
    claimed: claimedOf("and process_id = ?", [process]),
    adopt: statements(() => adoptAttempts(dialect, process)),
    isCarriedElsewhere: (id) => Effect.map(execute(findElsewhere, [id, process]), ({ rows }) => rows.length > 0)
  }
}
