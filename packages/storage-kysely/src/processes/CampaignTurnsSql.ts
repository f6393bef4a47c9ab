import { CampaignTurns, type Pace } from "@trunkline/campaigns"
import { CampaignId, Processes, unchecked } from "@trunkline/kernel"
import { Clock, Duration, Effect, Layer } from "effect"
import { Sql } from "../sql/Sql.js"
import { statement } from "../sql/Statement.js"

/** The processes that run campaigns, with the attempts that each has not ended. */
const countCalls = `
  select processes.process_id, count(attempts.attempt_id) as calls
  from processes left join attempts on attempts.process_id = processes.process_id and attempts.state <> 'ended'
  where processes.dials = 1
  group by processes.process_id
`
const isDead = "not exists (select 1 from processes where processes.process_id = campaign_turns.process_id)"
const takeFree = `
  insert into campaign_turns (campaign_id, process_id)
  select campaign_id, cast(? as bigint) from campaigns
  where status not in ('ended', 'cancelled') and not exists (
    select 1 from campaign_turns join processes on processes.process_id = campaign_turns.process_id
    where campaign_turns.campaign_id = campaigns.campaign_id
  )
  order by campaign_id
  on conflict (campaign_id) do update set process_id = excluded.process_id, pace = null, pace_for = null
  where ${isDead}
`
const findOwn = "select campaign_id from campaign_turns where process_id = ? and pace_for is null order by campaign_id"
const findHanded = `
  select campaign_id, pace from campaign_turns where process_id = ? and pace_for = ? order by campaign_id for update
`
const begin = "update campaign_turns set pace = null, pace_for = null where process_id = ? and pace_for = ?"
const hand = `
  update campaign_turns set process_id = ?, pace = ?, pace_for = ?
  where campaign_id = ? and process_id = ? and exists (select 1 from processes where process_id = ? and dials = 1)
`
const end = "delete from campaign_turns where campaign_id = ? and process_id = ?"
const endAll = "delete from campaign_turns where process_id = ?"
const setDials = "update processes set dials = ? where process_id = ?"

/** Interval at which processes look for turns that others have handed to them. */
const handedEvery = Duration.millis(250)

/** Shortest turn, and the time for which the counts of calls are good, in milliseconds. */
const shortestTurn = 5_000
const countsAreGood = 1_000

/** Difference of calls from which on a turn is handed over: a tenth of them, and at least two. */
const clearlyFewer = (others: number, ours: number): boolean => ours - others >= Math.max(2, ours / 10)

interface TurnRow {
  readonly campaign_id: string
  readonly pace: string | null
}

/** JSON has no infinity, which a pace has where there was no dial. */
const encodePace = (pace: Pace): string => JSON.stringify(pace)
const decodePace = (text: string): Pace => {
  const pace: Pace & { readonly beat: number | null; readonly notBefore: number | null } = JSON.parse(text)
  return { ...pace, beat: pace.beat ?? -Infinity, notBefore: pace.notBefore ?? -Infinity }
}

const turnOf = ({ campaign_id, pace }: TurnRow) => ({
  campaign_id: CampaignId.make(campaign_id, unchecked),
  pace: pace === null ? null : decodePace(pace)
})

/** `CampaignTurns` in a database that processes share; null where this process is the only one. */
export const CampaignTurnsSql = {
  layer: Layer.effect(
    CampaignTurns,
    Effect.gen(function*() {
      const { execute, statements } = yield* Sql
      const { id: process, pollEvery } = yield* Processes
      if (process === null) return null
      const clock = yield* Effect.clock
      const turnMillis = Math.min(shortestTurn, Duration.toMillis(pollEvery))
      /** When each campaign may be handed over, and the time of the last look at the calls. */
      const mayHandOver = new Map<CampaignId, number>()
      /** No turn is handed over before the calls that follow from the last one can be seen. */
      let restUntil = -Infinity
      let counts: { readonly at: number; readonly calls: ReadonlyMap<number, number> } = {
        at: -Infinity,
        calls: new Map()
      }

      const began = (rows: ReadonlyArray<TurnRow>) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          rows.map((row) => {
            const turn = turnOf(row)
            if (!mayHandOver.has(turn.campaign_id)) mayHandOver.set(turn.campaign_id, now + turnMillis)
            return turn
          }))

      const callsOfAll = Effect.suspend(() => {
        const at = clock.unsafeCurrentTimeMillis()
        if (at - counts.at < countsAreGood) return Effect.succeed(counts.calls)
        return Effect.map(
          execute<{ readonly process_id: number; readonly calls: number }>(countCalls, []),
          ({ rows }) => {
            counts = { at, calls: new Map(rows.map(({ calls, process_id }) => [process_id, calls])) }
            return counts.calls
          }
        )
      })

      const service: CampaignTurns.Service = {
        handedEvery,
        takeFree: Effect.zipRight(
          execute(takeFree, [process]),
          Effect.flatMap(
            execute<TurnRow>(findOwn, [process]),
            ({ rows }) => began(rows.map((row) => ({ ...row, pace: null })))
          )
        ),
        takeTurns: Effect.flatMap(
          statements(function*() {
            const { rows } = yield* statement<TurnRow>(findHanded, [process, process])
            if (rows.length > 0) yield* statement(begin, [process, process])
            return rows
          }),
          began
        ),
        handOver: ({ campaign_id, pace }) =>
          Effect.suspend(() => {
            const now = clock.unsafeCurrentTimeMillis()
            const from = Math.max(mayHandOver.get(campaign_id) ?? now + turnMillis, restUntil)
            if (now < from) return Effect.succeed(false)
            mayHandOver.set(campaign_id, now + countsAreGood)
            return Effect.flatMap(callsOfAll, (calls) => {
              const [least] = [...calls].sort(([, one], [, other]) => one - other)
              if (least === undefined || least[0] === process) return Effect.succeed(false)
              const [other, fewest] = least
              if (!clearlyFewer(fewest, calls.get(process) ?? 0)) return Effect.succeed(false)
              return Effect.map(
                execute(hand, [other, encodePace(pace), other, campaign_id, process, other]),
                ({ numAffectedRows = 0n }) => {
                  if (numAffectedRows === 0n) return false
                  mayHandOver.delete(campaign_id)
                  restUntil = now + 2 * countsAreGood
                  return true
                }
              )
            })
          }),
        end: (campaign_id) =>
          Effect.zipRight(
            Effect.sync(() => mayHandOver.delete(campaign_id)),
            Effect.asVoid(execute(end, [campaign_id, process]))
          ),
        begin: Effect.asVoid(execute(setDials, [1, process])),
        endAll: Effect.ignoreLogged(Effect.sandbox(statements(function*() {
          // Others hand it no more turns from then on.
          yield* statement(setDials, [0, process])
          yield* statement(endAll, [process])
        })))
      }
      return service
    })
  )
}
