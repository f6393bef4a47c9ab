import { webhookHeaders } from "@trunkline/webhooks"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"

/** Takes a push; whether it did. */
export type PushTaker = (headers: Readonly<Record<string, string>>, body: Uint8Array) => Promise<boolean>

/** Where the double pushes events, and how well. */
export interface PushOptions {
  /** A URL, or somebody in this process. */
  readonly to: string | PushTaker
  readonly secret: string
  /** How likely an event is sent twice. */
  readonly duplicates?: number
  /** How likely it is never sent. */
  readonly losses?: number
  /** Every event waits for up to so long, in ms, so that later ones overtake it. */
  readonly shuffleMillis?: number
}

/** How often an event is sent that nobody takes, and how long the double waits between, in ms. */
const [tries, pauseMillis] = [4, 300]

/** Pushes what became of calls to the engine. */
export interface Pushes {
  /** Sends the call as it is now. */
  readonly push: (call: Readonly<Record<string, unknown>>) => void
  /** Events that were taken. */
  readonly taken: () => number
  readonly close: () => void
}

const signedHeaders = (secret: string, id: string, body: Uint8Array) =>
  Effect.runSync(webhookHeaders([secret], { id, timestamp: Math.floor(Date.now() / 1000), body }))

/** Starts pushing. */
export const makePushes = (options: PushOptions, random: () => number): Pushes => {
  const { duplicates = 0, losses = 0, secret, shuffleMillis = 0, to } = options
  const closing = new AbortController()
  let taken = 0

  const take: PushTaker = typeof to === "string"
    ? async (headers, body) => (await fetch(to, { method: "POST", headers, body, signal: closing.signal })).ok
    : to

  const send = async (id: string, body: Uint8Array) => {
    await pause(random() * shuffleMillis, undefined, { signal: closing.signal })
    for (let tried = 0; tried < tries; tried++) {
      const headers = { ...signedHeaders(secret, id, body), "content-type": "application/json" }
      if (await take(headers, body).catch(() => false)) {
        taken += 1
        return
      }
      await pause(pauseMillis, undefined, { signal: closing.signal })
    }
  }

  return {
    push: (call) => {
      if (random() < losses) return
      const id = `evt_${randomUUID()}`
      const events = [{ event_id: id, at: new Date().toISOString(), call }]
      const body = new TextEncoder().encode(JSON.stringify({ events }))
      for (let copies = random() < duplicates ? 2 : 1; copies > 0; copies--) send(id, body).catch(() => undefined)
    },
    taken: () => taken,
    close: () => closing.abort()
  }
}
