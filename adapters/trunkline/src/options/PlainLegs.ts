import { describeCause, engineFault, EngineFaults, reasonOfThrown, withReason } from "@trunkline/kernel"
import { type Heard, type Leg, LegEnded, NotAnswered, type Spoken } from "@trunkline/telephony"
import { Cause, Duration, Effect } from "effect"
import { CallHungUp, type PlainLeg } from "./LineOptions.js"

/** The provider of a connected call, and its attempt; null for a call that comes in. */
export interface LegOrigin {
  readonly provider: string
  readonly attempt_id: string | null
}

/** A method of the host resolved with something that it does not promise. */
const senseless = (field: string) => new TypeError(field)

const spokenOf = (text: string, result: Awaited<ReturnType<PlainLeg["say"]>>): Spoken => {
  const words: unknown = result
  if (words === undefined || words === null) return { heard: text, interrupted: false }
  if (typeof Reflect.get(Object(words), "heard") === "string" && result) return result
  throw senseless("it resolves with nothing, or with the text that was heard and whether it was interrupted")
}

const heardOf = (input: Awaited<ReturnType<PlainLeg["listen"]>>): Heard => {
  if (input === null || input === undefined) return { _tag: "Silent" }
  if ("digit" in input && typeof input.digit === "string") return { _tag: "Pressed", digit: input.digit }
  if ("text" in input && typeof input.text === "string") {
    const { en_text = null, language_name = null, text } = input
    return { _tag: "Said", text, en_text, language_name }
  }
  throw senseless("it resolves with a text, a digit or null")
}

/** Logs an error of a connected call with its stack, and tells `onError`. */
const reportError = ({ attempt_id, provider }: LegOrigin, message: string, error: unknown): Effect.Effect<void> =>
  Effect.flatMap(EngineFaults, ({ report }) =>
    Effect.logWarning(message, describeCause(Cause.die(error))).pipe(
      Effect.annotateLogs({ attempt_id }),
      Effect.zipRight(report(engineFault({ kind: "call", name: provider, message, attempt_id, cause: error })))
    ))

const toLeg = (leg: PlainLeg, origin: LegOrigin): Leg => {
  let isOver = false
  let trouble: string | null = null
  const end = (method: string) => (error: unknown): Effect.Effect<never, LegEnded> =>
    Effect.suspend(() => {
      const legEnd = new LegEnded({ by: error instanceof CallHungUp ? error.by : "provider" })
      const isKnown = isOver || error instanceof CallHungUp
      isOver = true
      if (isKnown) return legEnd
      const reason = reasonOfThrown(error)
      trouble = withReason(`${origin.provider}: the call was given up since ${method} failed`, reason)
      return Effect.zipRight(reportError(origin, trouble, error), legEnd)
    })
  const attempt = <A>(method: string, run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, LegEnded> =>
    Effect.catchAll(Effect.tryPromise({ try: run, catch: (error) => ({ error }) }), ({ error }) => end(method)(error))
  return {
    trouble: () => trouble === null ? null : { reason: trouble, isFailed: false },
    say: (utterance) => attempt("say", async () => spokenOf(utterance.text, await leg.say(utterance))),
    listen: (silence) =>
      attempt(
        "listen",
        async (signal) => heardOf(await leg.listen({ silence_seconds: Duration.toSeconds(silence), signal }))
      ),
    hangUp: Effect.suspend(() => {
      isOver = true
      return Effect.ignore(Effect.tryPromise(() => leg.hangUp()))
    })
  }
}

const legMethods: ReadonlyArray<keyof PlainLeg> = ["say", "listen", "hangUp"]

/** The leg of a connected call; an error of the provider where it has not all methods. */
export const checkLeg = (origin: LegOrigin) => (leg: PlainLeg): Effect.Effect<Leg, NotAnswered> => {
  const missing = legMethods.find((name) => typeof Reflect.get(Object(leg), name) !== "function")
  return missing === undefined
    ? Effect.succeed(toLeg(leg, origin))
    : new NotAnswered({
      status: "provider_error",
      reason: `${origin.provider}: the connected call lacks the method ${missing}`
    })
}
