import { AccountId, Credits, type UsageLine } from "@trunkline/rate-limits"
import { Array, Effect, Schema } from "effect"
import { command, getAccount, type Output } from "../Command.js"
import { Day, Grant, GrantReference, withDefault } from "../Inputs.js"
import { maxEntries } from "../Syntax.js"
import { formatList, formatTime, table } from "../Text.js"

/** `credits show`: shows the balance of an account and the newest entries of its ledger. */
export const creditsShow = command("credits show", {
  input: Schema.Struct({ account: AccountId }),
  run: Effect.fnUntraced(function*({ account: account_id }) {
    yield* getAccount(account_id)
    const credits = yield* Credits
    const { balance, reserved } = yield* credits.balance(account_id)
    const entries = (yield* credits.entries(account_id, maxEntries)).map(({ amount, at, kind, reference }) => ({
      at: formatTime(at),
      kind,
      amount,
      reference
    }))
    const ledger = table(entries, [
      { title: "WHEN", of: ({ at }) => at },
      { title: "KIND", of: ({ kind }) => kind },
      { title: "AMOUNT", of: ({ amount }) => amount },
      { title: "REFERENCE", of: ({ reference }) => reference }
    ], "The ledger has no entries.")
    const status = balance === null ? "has unlimited credits" : `has ${balance} micro-credits`
    return {
      text: `${account_id} ${status}; ${reserved} are reserved for requests in progress.\n\n${ledger}`,
      json: { account_id, balance, reserved, entries }
    }
  })
})

/** `credits grant`: adds micro-credits to an account, once per reference. */
export const creditsGrant = command("credits grant", {
  input: Schema.Struct({ account: AccountId, "micro-credits": Grant, reference: GrantReference }),
  run: Effect.fnUntraced(function*({ account: account_id, "micro-credits": micro_credits, reference }) {
    const { credits: startCredits } = yield* getAccount(account_id)
    const credits = yield* Credits
    const wasGranted = yield* credits.grant({ account_id, micro_credits, reference })
    const { balance } = yield* credits.balance(account_id)
    const output: Output = {
      text: wasGranted
        ? `${account_id} was granted ${micro_credits} micro-credits for ${reference}.`
        : `${account_id} was already granted credits for ${reference}: nothing was added.`,
      json: { account_id, micro_credits, reference, granted: wasGranted, balance }
    }
    return startCredits === null
      ? { ...output, notice: `${account_id} has unlimited credits: its balance is not used.` }
      : output
  })
})

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

/** Table of usage by day and family, summed over all keys, with a total in the last line. */
export const usageTable = (lines: ReadonlyArray<Sums>): string => {
  const groups = Object.values(Array.groupBy(lines, ({ api, day }) => `${day} ${api}`))
  const sums = groups.map((group) => sumOf(group, group[0]))
  return table(sums.length === 0 ? [] : [...sums, sumOf(sums, { day: "total", api: "" })], [
    { title: "DAY", of: ({ day }) => day },
    { title: "FAMILY", of: ({ api }) => api },
    { title: "REQUESTS", of: ({ requests }) => requests },
    { title: "COST", of: ({ cost }) => cost },
    { title: "CHARGED", of: ({ charged }) => charged },
    { title: "UNITS", of: ({ units }) => formatList(Object.entries(units).map(([unit, count]) => `${unit} ${count}`)) }
  ], "No usage.")
}

/** `credits usage`: shows the usage of an account by day and family. */
export const creditsUsage = command("credits usage", {
  input: Schema.Struct({
    account: AccountId,
    from: withDefault(Day, "0000-01-01"),
    to: withDefault(Day, "9999-12-31")
  }).pipe(Schema.filter(({ from, to }) => from <= to || { path: ["to"], message: "Must not be before --from" })),
  run: Effect.fnUntraced(function*({ account: account_id, from, to }) {
    yield* getAccount(account_id)
    const lines = yield* (yield* Credits).usage({ account_id, from, to })
    return { text: usageTable(lines), json: lines }
  })
})
