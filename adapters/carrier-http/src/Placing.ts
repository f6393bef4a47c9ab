import { statusErrorKind } from "@trunkline/http-upstream"
import { DialFailed, type DialPlan } from "@trunkline/telephony"
import { Duration, Effect, Either, Schema } from "effect"
import type { Answer, Broken } from "./Exchange.js"
import type { Line } from "./Lines.js"
import { Call, failureReason, isNotTaken, refusalCode } from "./Protocol.js"

/** What one request to create a call came to. */
type Try =
  | { readonly _tag: "Taken"; readonly call: Call }
  /** It was certainly not dialled. */
  | { readonly _tag: "NotTaken"; readonly reason: string }
  /** It may have been dialled. */
  | { readonly _tag: "Unclear"; readonly reason: string }

const decodeCall = Schema.decodeUnknownEither(Call)

const notTaken = (reason: string): Try => ({ _tag: "NotTaken", reason })
const unclear = (reason: string): Try => ({ _tag: "Unclear", reason })

/** These move the question elsewhere without looking at it; other redirects may follow work that was done. */
const movedElsewhere: ReadonlyArray<number> = [301, 307, 308]

/** A gateway says these, too, of requests that reached the provider, or one with this key is being worked on. */
const unclearRefusals: ReadonlyArray<number> = [408, 409, 425]

/** What an answer to the request for a call means (docs/carriers.md, Failures). */
export const triedBy = ({ json, status }: Pick<Answer, "json" | "status">): Try => {
  if (status >= 200 && status < 300) {
    const call = decodeCall(json)
    return Either.isRight(call)
      ? { _tag: "Taken", call: call.right }
      : unclear("the answer to the dial cannot be read")
  }
  const code = refusalCode(json)
  const said = code === null ? `status ${status}` : code
  if (isNotTaken(json)) return notTaken(said)
  if (movedElsewhere.includes(status)) return notTaken(`moved elsewhere (status ${status})`)
  const kind = statusErrorKind(status)
  if (kind === "unauthorized") return notTaken(code ?? "the key is not accepted")
  if (kind === "rateLimited") return notTaken(code ?? "too many requests")
  if (status < 400 || status >= 500 || unclearRefusals.includes(status)) return unclear(`status ${status}`)
  return notTaken(said)
}

const triedWithout = ({ reason, sent, status }: Broken): Try =>
  status !== null && status >= 300
    ? triedBy({ status, json: undefined })
    : sent
    ? unclear(reason)
    : notTaken(`the provider cannot be reached: ${reason}`)

/** Pauses between requests under one key, in ms. */
const pauses: ReadonlyArray<number> = [100, 300, 1_000, 2_000]

/** A request that cannot be answered in less is not worth making, in seconds. */
const shortest = 0.05

const refused = (reason: string) => new DialFailed({ certainty: "provider", reason: failureReason(reason) })
const doubtful = (reason: string) => new DialFailed({ certainty: "unknown", reason: `unknown: ${reason}` })

/**
 * The request for a call. Its body follows from the attempt alone, so that the same attempt is asked for with the same
 * bytes after a restart, too, whatever was configured meanwhile; what was configured travels in the headers.
 */
export const createQuestion = ({ attempt_id, connection, from, ringTimeout, to }: DialPlan) => ({
  path: "/calls",
  headers: {
    "idempotency-key": attempt_id,
    "ring-seconds": String(Math.max(1, Math.round(Duration.toSeconds(ringTimeout))))
  },
  body: { attempt_id, connection_id: connection.connection_id, from, to }
})

/**
 * Asks the provider to dial. It asks once, unless the provider keeps keys: then an unclear answer is asked for again with
 * the same bytes while there is time, and only a call makes it clear again.
 */
export const create = (line: Line, plan: DialPlan): Effect.Effect<Call, DialFailed> => {
  const { dedupe, timeouts } = line.settings
  const question = createQuestion(plan)
  const attempt = (seconds: number): Effect.Effect<Try> =>
    line.ask({ ...question, seconds }).pipe(
      Effect.map(triedBy),
      Effect.catchAll((broken) => Effect.succeed(triedWithout(broken)))
    )

  return Effect.gen(function*() {
    const end = performance.now() + timeouts.create_seconds * 1000
    const left = () => (end - performance.now()) / 1000
    let last = yield* attempt(left())
    if (last._tag === "NotTaken") return yield* refused(last.reason)
    for (let repeats = 0; last._tag !== "Taken"; repeats++) {
      const pause = pauses[Math.min(repeats, pauses.length - 1)] ?? 0
      if (dedupe.kind !== "key" || left() - pause / 1000 < shortest) return yield* doubtful(last.reason)
      yield* Effect.sleep(pause)
      last = yield* attempt(left())
    }
    return last.call
  })
}
