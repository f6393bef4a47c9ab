import { RateLimiter } from "@effect/experimental"
import { LimitsRedis } from "@trunkline/limits-redis"
import { type PlanTable, RateLimits } from "@trunkline/rate-limits"
import { Effect, Layer, ManagedRuntime } from "effect"
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible"
import { createClient } from "redis"

/** Makes sequential decisions, cycling through the accounts, until enough were made. */
type Decide = (accounts: ReadonlyArray<string>, isEnough: () => boolean) => Promise<unknown>

const byPromises = (limiter: RateLimiterAbstract): Decide => async (accounts, isEnough) => {
  for (let turn = 0; !isEnough(); turn++) {
    try {
      await limiter.consume(accounts[turn % accounts.length] ?? "")
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal
    }
  }
}

const byEffects = (decide: (account_id: string) => Effect.Effect<unknown>): Decide => (accounts, isEnough) => {
  let turn = 0
  const body = () => decide(accounts[turn++ % accounts.length] ?? "")
  return Effect.runPromise(Effect.whileLoop({ while: () => !isEnough(), body, step: () => undefined }))
}

/** The decision of every request, made at once where possible. */
const oursNow = (limits: typeof RateLimits.Service): Decide => {
  const slowly = ours(limits)
  return (accounts, isEnough) => {
    for (let turn = 0; !isEnough(); turn++) {
      const subject = { account_id: accounts[turn % accounts.length] ?? "", plan: "starter" } as const
      if (limits.decideNow({ subject, api: "chat" }) === undefined) return slowly(accounts, isEnough)
    }
    return Promise.resolve()
  }
}

const ours = (limits: typeof RateLimits.Service) =>
  byEffects((account_id) => limits.decide({ subject: { account_id, plan: "starter" }, api: "chat" }))

const plansOf = (perMinute: number): PlanTable => {
  const limits = { requests: { chat: [{ perMinute }] }, connections: {} } as const
  return { starter: limits, pro: limits, business: limits }
}

const [, , name = "", figure, redisUrl = ""] = process.argv
const perMinute = Number(figure)
const prefix = `bench-${process.pid}:`

const connected = async () => {
  const client = createClient({ url: redisUrl })
  await client.connect()
  return client
}

const oursInRedis = (lease: boolean) => async () => {
  const redis = LimitsRedis.layer({ client: await connected(), prefix, lease })
  const layer = RateLimits.layer({ plans: plansOf(perMinute) }).pipe(Layer.provide(redis))
  return ours(await ManagedRuntime.make(layer).runPromise(RateLimits))
}

const inMemory = () =>
  Effect.runPromise(Effect.provide(RateLimits, RateLimits.layerMemory({ plans: plansOf(perMinute) })))

const contenders: Readonly<Record<string, () => Promise<Decide>>> = {
  "trunkline, at once": async () => oursNow(await inMemory()),
  "trunkline, as an effect": async () => ours(await inMemory()),
  "rate-limiter-flexible": async () => byPromises(new RateLimiterMemory({ points: perMinute, duration: 60 })),
  "@effect/experimental RateLimiter": async () => {
    const layer = Layer.provide(RateLimiter.layer, RateLimiter.layerStoreMemory)
    const { consume } = await Effect.runPromise(Effect.provide(RateLimiter.RateLimiter, layer))
    const bucket = { algorithm: "token-bucket", window: "1 minute", limit: perMinute } as const
    return byEffects((key) => Effect.ignore(consume({ ...bucket, key })))
  },
  "trunkline over Redis": oursInRedis(true),
  "trunkline over Redis, without leases": oursInRedis(false),
  "rate-limiter-flexible over Redis": async () =>
    byPromises(
      new RateLimiterRedis({
        storeClient: await connected(),
        useRedisPackage: true,
        keyPrefix: prefix,
        points: perMinute,
        duration: 60
      })
    )
}

/** Work for a contender: decisions for a while, a number of them at a time. */
export interface Turn {
  readonly accounts: number
  readonly width: number
}

/** Measurements of one round; times in microseconds. */
export interface Made {
  readonly decisions: number
  readonly cpu: number
  readonly wall: number
}

const turnMillis = 500

const decide = await contenders[name]?.()
if (decide === undefined) throw new Error(`There is no contender ${name}`)

process.on("message", async ({ accounts, width }: Turn) => {
  const names = Array.from({ length: accounts }, (_, index) => `account-${index}`)
  let decisions = 0
  let isOver = false
  const [cpu, begin] = [process.cpuUsage(), performance.now()]
  const isEnough = () => {
    if (decisions++ % 1024 === 0) isOver = performance.now() - begin > turnMillis
    return isOver
  }
  await Promise.all(Array.from({ length: width }, () => decide(names, isEnough)))
  const { system, user } = process.cpuUsage(cpu)
  const made: Made = { decisions, cpu: system + user, wall: (performance.now() - begin) * 1000 }
  process.send?.(made)
})
process.on("disconnect", () => process.exit(0))
process.send?.("ready")
