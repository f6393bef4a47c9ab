import { makeHistogram } from "@trunkline/kernel"
import type { QueryRefused, Warehouse, WarehouseBusy } from "@trunkline/warehouse"
import { Cause, type Context, Effect, Exit, Option } from "effect"

const durations = makeHistogram({
  name: "trunkline_board_query_duration_seconds",
  help: "Queries of boards in the warehouse, without those that the cache answered",
  labels: { result: ["ok", "refused", "busy", "failed"] },
  bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
})

const results = { QueryRefused: "refused", WarehouseBusy: "busy" } as const

const resultOf = (exit: Exit.Exit<unknown, QueryRefused | WarehouseBusy>): string =>
  Exit.match(exit, {
    onSuccess: () => "ok",
    onFailure: (cause) =>
      Option.match(Cause.failureOption(cause), { onNone: () => "failed", onSome: ({ _tag }) => results[_tag] })
  })

/** The queries of a warehouse, whose durations are recorded. */
export const measuredQuery =
  ({ query }: Context.Tag.Service<typeof Warehouse>): Context.Tag.Service<typeof Warehouse>["query"] => (...args) =>
    Effect.clockWith((clock) => {
      const began = clock.unsafeCurrentTimeNanos()
      return Effect.onExit(
        query(...args),
        (exit) =>
          Effect.sync(() =>
            durations.record(Number(clock.unsafeCurrentTimeNanos() - began) / 1e9, { result: resultOf(exit) })
          )
      )
    })
