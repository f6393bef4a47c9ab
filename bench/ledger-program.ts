import { Account, AccountId, Accounts, Credits } from "@trunkline/rate-limits"
import { StorageSqlite } from "@trunkline/sqlite"
import Database from "better-sqlite3"
import { Effect, Layer, ManagedRuntime } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const rounds = 5
const widths = [64, 16, 1]
const roundMillis = 500
const account_id = AccountId.make("acme")
const units = { input_token: 400, output_token: 60 }

/** Median figures of a contender: payments per second, and microseconds of CPU for each. */
export interface LedgerFigures {
  readonly width: number
  readonly name: string
  readonly rate: number
  readonly cpu: number
}

/** Measurements of a round: payments, microseconds of CPU and milliseconds. */
interface Spent {
  readonly payments: number
  readonly cpu: number
  readonly millis: number
}

/** Payments by a number of payers at a time, until the time is over. */
type Pay = (width: number, isOver: () => boolean) => Promise<number>

const engine = async (folder: string) => {
  const stores = StorageSqlite.layer({ file: join(folder, "engine.db") })
  const prices = { chat: { input_token: 1, output_token: 2 } }
  const live = Layer.merge(Accounts.layer, Credits.layer({ prices })).pipe(Layer.provideMerge(stores))
  const runtime = ManagedRuntime.make(live)
  const opened = Effect.flatMap(
    Accounts,
    (accounts) => accounts.put(new Account({ account_id, plan: "pro", credits: 1_000_000_000_000 }))
  )
  const credits = await runtime.runPromise(Effect.zipRight(opened, Credits))
  const payer = { account_id, key_id: "key" }
  let request = 0
  const payment = Effect.suspend(() => {
    const request_id = `request-${request++}`
    return Effect.zipRight(
      credits.reserve({ payer, request_id, api: "chat", max: units }),
      credits.settle({ payer, request_id, api: "chat", used: units })
    )
  })
  const pay: Pay = async (width, isOver) => {
    let payments = 0
    const paying = Effect.whileLoop({ while: () => !isOver(), body: () => payment, step: () => payments++ })
    await Promise.all(Array.from({ length: width }, () => runtime.runPromise(paying)))
    return payments
  }
  return { pay, close: () => runtime.dispose() }
}

/** The statements of a payment by hand: prepared once, and one transaction for as many payments as there are payers. */
const byHand = (folder: string) => {
  const db = new Database(join(folder, "hand.db"))
  db.pragma("journal_mode = wal")
  db.pragma("synchronous = full")
  db.exec(`
    create table balances (account_id text primary key, balance integer) without rowid;
    create table entries (seq integer primary key, account_id text, reference text, amount integer, at integer,
      unique (account_id, reference));
    create table reservations (request_id text primary key, account_id text, amount integer) without rowid;
    create index held on reservations (account_id, amount);
    create table usage (account_id text, day text, requests integer, input integer, output integer, cost integer,
      primary key (account_id, day)) without rowid;
    insert into balances values ('acme', 1000000000000);
  `)
  const reserved = db.prepare("select coalesce(sum(amount), 0) as amount from reservations where account_id = ?")
  const balance = db.prepare("select balance from balances where account_id = ?")
  const reserve = db.prepare("insert into reservations values (?, ?, ?)")
  const release = db.prepare("delete from reservations where request_id = ?")
  const append = db.prepare("insert into entries (account_id, reference, amount, at) values (?, ?, ?, ?)")
  const charge = db.prepare("update balances set balance = balance - ? where account_id = ?")
  const count = db.prepare(`insert into usage values (?, ?, 1, ?, ?, ?) on conflict (account_id, day) do update set
    requests = requests + 1, input = input + excluded.input, output = output + excluded.output,
    cost = cost + excluded.cost`)
  const reserveAll = db.transaction((requests: ReadonlyArray<string>) => {
    for (const request of requests) {
      reserved.get("acme")
      balance.get("acme")
      reserve.run(request, "acme", 520)
    }
  })
  const settleAll = db.transaction((requests: ReadonlyArray<string>) => {
    for (const request of requests) {
      release.run(request)
      append.run("acme", `usage:${request}`, -520, Date.now())
      charge.run(520, "acme")
      count.run("acme", "2026-01-01", 400, 60, 520)
    }
  })
  let request = 0
  const pay: Pay = async (width, isOver) => {
    let payments = 0
    while (!isOver()) {
      const requests = Array.from({ length: width }, () => `request-${request++}`)
      reserveAll.immediate(requests)
      settleAll.immediate(requests)
      payments += width
      await new Promise((resolve) => setImmediate(resolve))
    }
    return payments
  }
  return { pay, close: async () => void db.close() }
}

const measure = async (pay: Pay, width: number): Promise<Spent> => {
  const [cpu, began] = [process.cpuUsage(), performance.now()]
  const payments = await pay(width, () => performance.now() - began > roundMillis)
  const { system, user } = process.cpuUsage(cpu)
  return { payments, cpu: system + user, millis: performance.now() - began }
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const folder = mkdtempSync(join(tmpdir(), "ledger-"))
const contenders = [
  { name: "trunkline", ...await engine(folder) },
  { name: "prepared statements by hand", ...byHand(folder) }
]
const figures: Array<LedgerFigures> = []
for (const width of widths) {
  const spent = contenders.map(() => Array<Spent>())
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { pay }] of contenders.entries()) {
      const made = await measure(pay, width)
      if (round > 0) spent[index]?.push(made)
    }
  }
  contenders.forEach(({ name }, index) => {
    const rate = median((spent[index] ?? []).map(({ millis, payments }) => payments / millis * 1000))
    const cpu = median((spent[index] ?? []).map(({ cpu, payments }) => cpu / payments))
    figures.push({ width, name, rate, cpu })
  })
}
await Promise.all(contenders.map(({ close }) => close()))
rmSync(folder, { recursive: true, force: true })
process.send?.(figures)
process.disconnect?.()
