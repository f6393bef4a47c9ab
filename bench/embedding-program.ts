import { Engine } from "@trunkline/engine"
import { type AttemptId, Scope } from "@trunkline/kernel"
import { CreateOutbound } from "@trunkline/telephony"
import { Effect, Runtime, Schema, Stream } from "effect"
import { createTrunkline } from "trunkline"
import type {} from "trunkline/effect"

/** CPU time of a call through each face, in microseconds. */
export interface EmbeddingFigures {
  readonly promises: number
  readonly effects: number
}

const [rounds, calls] = [12, 100]

const trunkline = await createTrunkline({
  data: ":memory:",
  agents: [{ app_id: "reminder", first_message: "Hello {{name}}, your table is booked for tonight." }],
  lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
  simulator: { speed: 600 }
})

const numbers = Array.from({ length: calls }, (_, index) => `+9198765${String(10_000 + index)}`)

const byPromises = async () => {
  const started = await Promise.all(
    numbers.map((to) => trunkline.calls.create({ agent: "reminder", to, variables: { name: "Asha" } }))
  )
  await Promise.all(started.map(({ ended }) => ended))
}

const scope = Schema.decodeSync(Scope)({ org_id: "main", workspace_id: "main" })

const decodeBody = Schema.decodeUnknownSync(CreateOutbound)

const bodyFor = (user_phone_number: string) =>
  decodeBody({
    app_config: {
      app_id: "reminder",
      app_version: 1,
      connection_config: { connection_id: "line", agent_phone_number: "+911140000001" },
      agent_variables: { name: "Asha" }
    },
    user_config: { user_phone_number },
    webhook_config: null
  })

const byEffects = Effect.scoped(Effect.gen(function*() {
  const { live, outbounds } = yield* Engine
  const events = yield* live.watch(scope)
  const open = new Set<AttemptId>()
  yield* Effect.forEach(
    numbers,
    (number) => Effect.map(outbounds.start(scope, bodyFor(number)), (id) => void open.add(id)),
    { concurrency: "unbounded", discard: true }
  )
  yield* Stream.runDrain(Stream.takeUntil(events, (event) => {
    if (event.type === "attempt.ended") open.delete(event.attempt_id)
    return open.size === 0
  }))
}))

const runEffects = () => Runtime.runPromise(trunkline.effect.runtime)(byEffects)

/** CPU time of a call in one round, in microseconds. */
const timed = async (round: () => Promise<void>): Promise<number> => {
  const start = process.cpuUsage()
  await round()
  const { system, user } = process.cpuUsage(start)
  return (user + system) / calls
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const times = { promises: Array<number>(), effects: Array<number>() }
await byPromises()
await runEffects()
for (let round = 0; round < rounds; round++) {
  // Each goes first in every other round.
  const isEven = round % 2 === 0
  if (isEven) times.promises.push(await timed(byPromises))
  times.effects.push(await timed(runEffects))
  if (!isEven) times.promises.push(await timed(byPromises))
}
await trunkline.close()
const figures: EmbeddingFigures = { promises: median(times.promises), effects: median(times.effects) }
process.send?.(figures)
console.log(figures)
