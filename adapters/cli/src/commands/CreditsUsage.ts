import { AccountId, Credits, type UsageLine } from "@trunkline/rate-limits"
import { Array, Effect, Schema } from "effect"
import { command } from "../Command.js"
import { Day, otherwise } from "../Inputs.js"
import { accountOf } from "../Lookup.js"
import { listed, table } from "../Text.js"

type Sums = Pick<UsageLine, "day" | "api" | "requests" | "units" | "cost" | "charged">

const sumOf = (lines: ReadonlyArray<Sums>, { api, day }: Pick<Sums, "api" | "day">): Sums => {
  const units: Record<string, number> = {}
  for (const line of lines) {
    for (const [unit, count] of Object.entries(line.units)) units[unit] = (units[unit] ?? 0) + count
  }
  const sum = (of: (line: Sums) => number) => lines.reduce((sum, line) => sum + of(line), 0)
  return {
    day,
    api,
    requests: sum(({ requests }) => requests),
    units,
    cost: sum(({ cost }) => cost),
    charged: sum(({ charged }) => charged)
  }
}

/** Usage by day and family, all keys together, with the sum of everything as the last line. */
export const usageTable = (lines: ReadonlyArray<Sums>): string => {
  const groups = Object.values(Array.groupBy(lines, ({ api, day }) => `${day} ${api}`))
  const sums = groups.map((group) => sumOf(group, group[0]))
  return table(sums.length === 0 ? [] : [...sums, sumOf(sums, { day: "total", api: "" })], [
    { title: "DAY", of: ({ day }) => day },
    { title: "FAMILY", of: ({ api }) => api },
    { title: "REQUESTS", of: ({ requests }) => requests },
    { title: "COST", of: ({ cost }) => cost },
    { title: "CHARGED", of: ({ charged }) => charged },
    { title: "UNITS", of: ({ units }) => listed(Object.entries(units).map(([unit, count]) => `${unit} ${count}`)) }
  ], "Nothing was used.")
}

/** `credits usage`: what an account used, by day and family. */
export const creditsUsage = command({
  name: "credits usage",
  about: "Shows what an account used, by day and family, in micro-credits: what it cost, and what was taken for it.",
  operands: ["account"],
  flags: {
    from: { value: "day", about: "the first day, such as 2026-11-01 (default: the very first)" },
    to: { value: "day", about: "the last day (default: the very last)" }
  },
  input: Schema.Struct({
    account: AccountId,
    from: otherwise(Day, "0000-01-01"),
    to: otherwise(Day, "9999-12-31")
  }).pipe(Schema.filter(({ from, to }) => from <= to || { path: ["to"], message: "Must not be before --from" })),
  run: Effect.fnUntraced(function*({ account: account_id, from, to }) {
    yield* accountOf(account_id)
    const lines = yield* (yield* Credits).usage({ account_id, from, to })
    return { text: usageTable(lines), json: lines }
  })
})
