import { once } from "node:events"
import { sentences, silencePrompt, unknownSentence } from "./RelayTalk.js"
import type { RelayProcess, RelayWorld } from "./RelayWorld.js"

/** Calls that go on at a time. */
const callsAtOnce = 3

/** Longest wait for anything, in seconds: a machine that is late does not make a call a lost one. */
const longestWait = 240

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const until = async (isSo: () => boolean, what: string): Promise<void> => {
  for (const since = Date.now(); !isSo();) {
    if (Date.now() - since > longestWait * 1000) throw new Error(`${what}: not after ${longestWait} s`)
    await pause(5)
  }
}

/** The value below which a share of values is. */
export const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0

/** Milliseconds from the end of a process: until the provider was back, and until the next words were there. */
export interface Gap {
  readonly back: number
  readonly words: number
}

/** Processes that carry the calls after one has ended. */
export interface Succession {
  /** The process to which the provider is led from now on. */
  readonly follow: () => Promise<RelayProcess>
  /** Makes ready for the next end. */
  readonly prepare: () => Promise<void>
}

/** The same program starts again. */
export const restart = ({ lead, start }: RelayWorld): Succession => ({
  follow: async () => {
    const process = start()
    lead(process)
    await process.ready
    return process
  },
  prepare: async () => {}
})

/** Another process is there already. */
export const standby = (world: RelayWorld): Succession => {
  let waiting: RelayProcess | null = null
  return {
    follow: async () => {
      const process = waiting ?? world.start()
      waiting = null
      world.lead(process)
      await process.ready
      return process
    },
    prepare: async () => {
      waiting = world.start()
      await waiting.ready
    }
  }
}

/** Calls of a world after the ends of their processes. */
export interface KilledCalls {
  readonly gaps: ReadonlyArray<Gap>
  readonly attempts: number
  /** Calls that did not end as they should: one line for each. */
  readonly lost: ReadonlyArray<string>
  /** Calls in which something was said twice, or was not said in its place: what was sent in each. */
  readonly repeated: ReadonlyArray<string>
  /** Attempts whose tool ran twice. */
  readonly usedTwice: ReadonlyArray<string>
  /** Sentences that nobody has said. */
  readonly unsaid: number
}

/** Looks at all calls once they are over. */
const checkCalls = (
  { bookings, double, ended }: RelayWorld,
  attempts: ReadonlyArray<string>
): Omit<KilledCalls, "attempts" | "gaps"> => {
  let unsaid = 0
  const repeated: Array<string> = []
  const spoken = [...sentences.slice(0, 3), unknownSentence, ...sentences.slice(3)]
  const lost = double.calls.flatMap(({ facts }) => facts.state === "completed" ? [] : [`${facts.id}: ${facts.state}`])
  for (const { relay } of double.calls) {
    const sent = (relay?.tokens ?? []).map(({ text }) => text.trim()).join(" ").replaceAll(` ${silencePrompt}`, "")
    const said = spoken.filter((sentence) => sent.includes(sentence))
    if (sent !== said.join(" ")) repeated.push(sent)
    unsaid += Math.max(0, sentences.length - said.length)
  }
  for (const id of attempts) {
    const { completion_status, failure_reason } = ended.get(id) ?? { completion_status: "none", failure_reason: null }
    if (completion_status !== "completed" || failure_reason !== null) {
      lost.push(`${id}: ${completion_status}, ${failure_reason}`)
    }
  }
  const uses = bookings()
  return { lost, repeated, usedTwice: attempts.filter((id) => (uses.get(id) ?? 0) > 1), unsaid }
}

/**
 * Ends the process that carries calls, in the middle of a sentence of one of them, again and again: by a signal that it cannot
 * hear, or by one after which it leaves its calls.
 */
export const killOften = async (
  world: RelayWorld,
  { follow, prepare }: Succession,
  { kills, signal }: { readonly kills: number; readonly signal: "SIGKILL" | "SIGTERM" }
): Promise<KilledCalls> => {
  const { call, double, ended } = world
  const gaps: Array<Gap> = []
  const attempts: Array<string> = []
  let current = await follow()
  const isTalking = ({ facts, relay }: RelayWorld["double"]["calls"][number]) =>
    facts.state === "talking" && (relay?.tokens.length ?? 0) > 0 && relay?.handoff() === null
  const talking = () => double.calls.filter(isTalking)

  for (let kill = 0; kill < kills; kill++) {
    await prepare()
    while (talking().length < callsAtOnce) {
      attempts.push(await call(current, `+9198${String(attempts.length + 1).padStart(8, "0")}`))
      await until(() => (double.calls.at(-1)?.relay?.tokens.length ?? 0) > 0, "A call has no words")
    }
    await pause(Math.random() * 1_000)
    await until(
      () => talking().length === 0 || talking().some(({ relay }) => relay?.isHearing() === true),
      "Nobody speaks"
    )
    await pause(Math.random() * 200)
    const before = talking().map(({ relay }) => ({
      relay,
      connections: relay?.connectionTimes.length ?? 0,
      tokens: relay?.tokens.length ?? 0
    }))
    const killedAt = Date.now()
    current.child.kill(signal)
    await once(current.child, "exit")
    current = await follow()
    for (const { connections, relay, tokens } of before) {
      await until(
        () => (relay?.tokens.length ?? 0) > tokens || relay?.handoff() !== null,
        `A call does not go on after kill ${kill + 1}`
      )
      const words = relay?.tokens[tokens]?.at
      if (words !== undefined) {
        gaps.push({ back: (relay?.connectionTimes[connections] ?? killedAt) - killedAt, words: words - killedAt })
      }
    }
  }
  await until(() => double.calls.every(({ facts }) => facts.state !== "talking"), "A call does not end")
  await until(() => attempts.every((id) => ended.has(id)), "A call has no result")
  return { gaps, attempts: attempts.length, ...checkCalls(world, attempts) }
}

/** Percentiles of gaps, in words. */
export const describeGaps = (gaps: ReadonlyArray<Gap>): string =>
  (["back", "words"] as const).map((name) => {
    const values = gaps.map((gap) => gap[name])
    return `${name} p50 ${percentile(values, 0.5)} ms, p95 ${percentile(values, 0.95)} ms`
  }).join("; ")
