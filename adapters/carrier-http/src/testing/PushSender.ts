import { webhookHeaders } from "@trunkline/webhooks"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"

/** Receives a push; resolves to false when it was not accepted. */
export type PushHandler = (headers: Readonly<Record<string, string>>, body: Uint8Array) => Promise<boolean>

/** Target and reliability of pushed events. */
export interface PushOptions {
  /** A URL or an in-process handler. */
  readonly to: string | PushHandler
  readonly secret: string
  /** Probability that an event is sent twice. */
  readonly duplicates?: number
  /** Probability that an event is never sent. */
  readonly losses?: number
  /** Maximum random delay of an event in milliseconds, which reorders events. */
  readonly shuffleMillis?: number
}

/** Number of delivery attempts, and the delay between them in milliseconds. */
const [tries, pauseMillis] = [4, 300]

/** Pushes events of calls to the engine. */
interface PushSender {
  /** Sends the current state of a call. */
  readonly push: (call: Readonly<Record<string, unknown>>) => void
  /** Number of delivered events. */
  readonly countEvents: () => number
  readonly close: () => void
}

const signedHeaders = (secret: string, id: string, body: Uint8Array) =>
  Effect.runSync(webhookHeaders([secret], { id, timestamp: Math.floor(Date.now() / 1000), body }))

/** Starts a push sender. */
export const makePushSender = (options: PushOptions, random: () => number): PushSender => {
  const { duplicates = 0, losses = 0, secret, shuffleMillis = 0, to } = options
  const closing = new AbortController()
  let count = 0

  const take: PushHandler = typeof to === "string"
    ? async (headers, body) => (await fetch(to, { method: "POST", headers, body, signal: closing.signal })).ok
    : to

  const send = async (id: string, body: Uint8Array) => {
    await pause(random() * shuffleMillis, undefined, { signal: closing.signal })
    for (let attempt = 0; attempt < tries; attempt++) {
      const headers = { ...signedHeaders(secret, id, body), "content-type": "application/json" }
      if (await take(headers, body).catch(() => false)) {
        count += 1
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
    countEvents: () => count,
    close: () => closing.abort()
  }
}
