import { type ArmCounts, CanaryCounts, type MeasuredCall, noFigures } from "@trunkline/campaigns"
import { type CanaryArm, Processes } from "@trunkline/kernel"
import { Effect, Layer } from "effect"
import { insertRows } from "../fast/ManyRows.js"
import { Sql } from "../sql/Sql.js"

/** The sums of some calls by canary and arm, in the order in which transactions change them, so that none waits in a circle. */
const sumsOf = (calls: ReadonlyArray<MeasuredCall>) => {
  const sums = new Map<string, Omit<MeasuredCall, "isSuccess"> & ArmCounts>()
  for (const { isSuccess, ...of } of calls) {
    const key = JSON.stringify([of.campaign_id, of.number, of.arm])
    const { conversations, successes } = sums.get(key) ?? { conversations: 0, successes: 0 }
    sums.set(key, { ...of, conversations: conversations + 1, successes: successes + (isSuccess ? 1 : 0) })
  }
  return [...sums].sort(([one], [other]) => one < other ? -1 : 1).map(([, sum]) => sum)
}

const sumOfProcesses = `
  select
    arm,
    cast(sum(conversations) as bigint) as conversations,
    cast(sum(successes) as bigint) as successes
  from canary_counts where campaign_id = ? and canary = ? group by arm
`

/** `CanaryCounts` in SQL: each process adds to rows of its own, so that none waits for another. */
export const CanaryCountsSql = {
  layer: Layer.effect(
    CanaryCounts,
    Effect.gen(function*() {
      const { dialect, execute, statements } = yield* Sql
      const { id } = yield* Processes
      const process = id ?? 0
      const add = insertRows(dialect, "canary_counts", {
        columns: {
          campaign_id: "text",
          canary: "integer",
          arm: "text",
          process_id: "integer",
          conversations: "integer",
          successes: "integer"
        },
        end: `
          on conflict (campaign_id, canary, arm, process_id) do update set
            conversations = canary_counts.conversations + excluded.conversations,
            successes = canary_counts.successes + excluded.successes
        `
      })
      return CanaryCounts.of({
        addMany: (calls) =>
          calls.length === 0 ?
            Effect.void :
            Effect.asVoid(statements(() =>
              add(
                sumsOf(calls).map(({ arm, campaign_id, conversations, number, successes }) => [
                  campaign_id,
                  number,
                  arm,
                  process,
                  conversations,
                  successes
                ])
              )
            )),
        of: (campaign, number) =>
          Effect.map(
            execute<ArmCounts & { readonly arm: CanaryArm }>(sumOfProcesses, [campaign, number]),
            ({ rows }) => rows.reduce((figures, { arm, ...counts }) => ({ ...figures, [arm]: counts }), noFigures)
          )
      })
    })
  )
}
