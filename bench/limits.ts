import { flatMapNow, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import {
  Account,
  AccountId,
  AccountStore,
  Entropy,
  KeyEnvironment,
  Keys,
  KeyStore,
  planTable,
  RateLimits,
  Workspace
} from "@trunkline/rate-limits"
import { Effect, Either, Layer, Redacted } from "effect"
import { fork } from "node:child_process"
import { scryptSync } from "node:crypto"
import { once } from "node:events"
import { connect } from "node:net"
import { bundled } from "../tools/run.mjs"
import type { Made, Turn } from "./limits-contender.js"
import { report } from "./report.js"

const rounds = 7
const redisUrl = "redis://127.0.0.1:6379"

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** A large young generation from the start: with a small one, V8's early heap growth makes results vary by chance. */
const execArgv = ["--min-semi-space-size=16"]

const start = async (name: string, perMinute: number) => {
  const child = fork(await bundled("bench/limits-contender.ts"), [name, `${perMinute}`, redisUrl], { execArgv })
  await once(child, "message")
  return { name, child, spent: Array<number>() }
}

/** Prints the decisions per second of each contender, each in a separate process, taking turns. */
const race = async (title: string, options: {
  readonly names: ReadonlyArray<string>
  readonly perMinute: number
  readonly turn: Turn
  readonly clock: "cpu" | "wall"
}) => {
  const { clock, names, perMinute, turn } = options
  await bundled("bench/limits-contender.ts")
  const contenders = await Promise.all(names.map((name) => start(name, perMinute)))
  for (let round = 0; round <= rounds; round++) {
    for (const { child, spent } of contenders) {
      const answer = once(child, "message")
      child.send(turn)
      const [made]: Array<Made> = await answer
      if (round > 0 && made !== undefined) spent.push(made[clock] / made.decisions)
    }
  }
  contenders.forEach(({ child }) => child.disconnect())
  const [ours = Number.NaN] = contenders.map(({ spent }) => median(spent))
  console.log(title)
  for (const { name, spent } of contenders) {
    const micros = median(spent)
    console.log(`  ${name}: ${Math.round(1_000_000 / micros).toLocaleString("en")} decisions a second`)
    if (micros !== ours) console.log(`    ratio: trunkline makes ${(micros / ours).toFixed(1)}x as many`)
  }
  const perSecond = (micros: number) => `${(1 / micros).toFixed(2)} M decisions a second`
  const [, limiter] = contenders.filter(({ name }) => !name.startsWith("trunkline") || name === names[0])
  if (limiter === undefined) return
  const theirs = median(limiter.spent)
  report({
    path: title,
    ours: perSecond(ours),
    peer: `${limiter.name} ${perSecond(theirs)}`,
    ratio: `${(theirs / ours).toFixed(1)} times`,
    goal: title.startsWith("In memory") ? "3 times" : ""
  })
}

const inMemory = (what: string, perMinute: number) =>
  race(`In memory, ${what}, by CPU time`, {
    names: [
      "trunkline, at once",
      "trunkline, as an effect",
      "rate-limiter-flexible",
      "@effect/experimental RateLimiter"
    ],
    perMinute,
    turn: { accounts: 10_000, width: 1 },
    clock: "cpu"
  })

const answers = (url: string) =>
  new Promise<boolean>((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.end())
  })

const inRedis = async () => {
  if (!(await answers(redisUrl))) return console.log(`Over Redis: skipped, nothing answers at ${redisUrl}`)
  for (const accounts of [20, 10_000]) {
    await race(`Over Redis, ${accounts.toLocaleString("en")} accounts, 64 decisions at a time, by the clock`, {
      names: ["trunkline over Redis", "trunkline over Redis, without leases", "rate-limiter-flexible over Redis"],
      perMinute: 1_000_000,
      turn: { accounts, width: 64 },
      clock: "wall"
    })
  }
}

/** The checks before every request: key, rate limit, tenant. */
const checks = Effect.gen(function*() {
  const keys = yield* Keys
  const limits = yield* RateLimits
  const store = yield* AccountStore
  const account_id = AccountId.make("acme")
  const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
  yield* store.putAccount(new Account({ account_id, plan: "starter", credits: null }))
  yield* store.putWorkspace(new Workspace({ ...scope, account_id }))
  const terms = { workspaces: "*", features: [], models: null, label: "bench", budget: null } as const
  const { text } = yield* keys.create(account_id, { env: KeyEnvironment.make("test"), terms })
  const presented = { subscriptionKey: Redacted.value(text), bearer: null, xApiKey: null }
  const atOnce = () => {
    const outcome = flatMapNow(
      keys.authenticate(presented, "orgs"),
      (caller) =>
        flatMapNow(
          keys.admit(caller, scope),
          () => limits.spendNow({ subject: { ...caller, scope }, api: "everything" }) ?? Effect.never
        )
    )
    return Either.isEither(outcome) && Either.isRight(outcome)
  }
  return {
    atOnce,
    key: Effect.suspend(() => keys.authenticate(presented, "orgs")),
    all: Effect.gen(function*() {
      const caller = yield* keys.authenticate(presented, "orgs")
      yield* keys.admit(caller, scope)
      yield* limits.spend({ subject: { ...caller, scope }, api: "everything" })
    })
  }
}).pipe(
  Effect.provide([
    Keys.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(AccountStore.layerMemory, KeyStore.layerMemory, Entropy.layerSeeded("bench")))
    ),
    RateLimits.layerMemory({
      plans: { ...planTable, starter: { requests: { everything: [{ perMinute: 1_000_000 }] }, connections: {} } }
    })
  ])
)

const micros = async (work: () => unknown, times: number) => {
  const before = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / times
}

const perRequest = async () => {
  const times = 10_000
  const { all, atOnce, key } = await Effect.runPromise(checks)
  const spent = { key: Array<number>(), all: Array<number>(), atOnce: Array<number>(), scrypt: Array<number>() }
  const allAtOnce = () => {
    for (let turn = 0; turn < times; turn++) if (!atOnce()) throw new Error("A request had to wait")
  }
  for (let round = 0; round <= rounds; round++) {
    spent.key.push(await micros(() => Effect.runPromise(Effect.repeatN(key, times - 1)), times))
    spent.all.push(await micros(() => Effect.runPromise(Effect.repeatN(all, times - 1)), times))
    spent.atOnce.push(await micros(allAtOnce, times))
    spent.scrypt.push(await micros(() => scryptSync("a key", "a salt", 64), 1))
  }
  const [byKey, byAll, byScrypt] = [median(spent.key), median(spent.all), median(spent.scrypt)]
  const byAtOnce = median(spent.atOnce)
  console.log("Before every request, by CPU time")
  console.log(`  key, rate limit and tenant: ${byAll.toFixed(1)} µs; the key alone: ${byKey.toFixed(1)} µs`)
  console.log(`  all three at once, without an effect: ${byAtOnce.toFixed(1)} µs`)
  report({
    path: "key, limit and workspace, CPU before a request",
    ours: `${byAtOnce.toFixed(1)} µs`,
    peer: `as effects ${byAll.toFixed(1)} µs`,
    ratio: `${(byAtOnce / byAll).toFixed(2)} times`,
    goal: "5 µs"
  })
  console.log(`  one scrypt: ${byScrypt.toFixed(0)} µs`)
  console.log(
    `    ratio: it costs ${(byScrypt / byKey).toFixed(0)}x the key, ${(byScrypt / byAll).toFixed(0)}x all three`
  )
}

/** Prints the decisions per second of our rate limits and of others, and the cost of the checks before every request. */
export const run = async (): Promise<void> => {
  await inMemory("10,000 accounts, all admitted", 4_000)
  await inMemory("10,000 accounts, all but the first refused", 1)
  await inRedis()
  await perRequest()
}
