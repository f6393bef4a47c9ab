import { AttemptId, ConnectionId, PhoneNumber } from "@trunkline/kernel"
import { Connection } from "@trunkline/telephony"
import { Either } from "effect"
import type { CallToCreate, DialectLine } from "../../src/dialects/Dialect.js"
import { smartflo } from "../../src/dialects/smartflo/Smartflo.js"
import { smartflo as provider } from "../Providers.js"

export const attempt_id = AttemptId.make("0199aaaa-0000-7000-8000-000000000001")

export const token = "t".repeat(43)

/** Text that a call of ours is given when it is created, and tells again. */
export const mark = `${attempt_id}.${token}`

export const [ours, theirs] = [PhoneNumber.make("+911140000001"), PhoneNumber.make("+919876543210")]

/** A line of Smartflo; throws with the mistakes of its options. */
export const lineOf = (options: object = {}): DialectLine =>
  Either.getOrThrowWith(
    smartflo.lineOf(
      new Connection({
        connection_id: ConnectionId.make("line-1"),
        provider: "smartflo",
        phone_numbers: [ours],
        options: { public_url: "https://voice.example/voice", ...provider.options, ...options }
      }),
      provider.environment
    ),
    (problems) => new Error(problems.join("; "))
  )

/** A call to create. */
export const callAt = (now: number, more: Partial<CallToCreate> = {}): CallToCreate => ({
  attempt_id,
  from: ours,
  to: theirs,
  ringSeconds: 20,
  limitSeconds: 600,
  token,
  now,
  streamUrl: "wss://voice.example/stream",
  eventsUrl: (about) => `https://voice.example/events?about=${about}`,
  ...more
})

/** A notice with a JSON body. */
export const posted = (json: object) => ({
  method: "POST" as const,
  fields: new URLSearchParams(),
  json,
  now: Date.now()
})

/** A notice with a query, or a form. */
export const asked = (query: string) => ({
  method: "GET" as const,
  fields: new URLSearchParams(query),
  json: undefined,
  now: Date.now()
})
