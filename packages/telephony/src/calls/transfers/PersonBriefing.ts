import { BusinessTime, timeoutAt } from "@trunkline/kernel"
import { Duration, Effect } from "effect"
import type { AudioLine } from "../../call/AudioLine.js"
import type { Leg, LegEnded } from "../../call/Leg.js"
import type { SpokenText, TransferRequest } from "../../call/Transfer.js"
import { machineAnswered, whilePerson } from "./PersonWatch.js"
import { type TransferFailed, transferFailed } from "./SecondLeg.js"

/** Silence after which the person is asked again to take the call. */
const askAgainAfter = Duration.seconds(6)

/** Times that the person is asked to take the call. */
const maxAsks = 3

/** Longest time from the answer until the person has taken the call, in milliseconds of business time. */
const maxMillis = 90_000

/** The person has hung up, or the provider has, for a reason that it tells. */
const hungUp = (line: Leg | AudioLine) => (_: LegEnded): TransferFailed => {
  const trouble = line.trouble?.() ?? null
  return trouble === null ? transferFailed("declined", null) : transferFailed("no_answer", trouble.reason)
}

/** Says words; true when a key has interrupted them or may have. */
const say = (leg: Leg, words: SpokenText | null, interruptible: boolean) =>
  words === null ? Effect.void : Effect.asVoid(leg.say({ ...words, interruptible }))

/** Waits for the key, and asks for it again after a silence. Words and other keys do not take a call. */
const awaitKey = (
  leg: Leg,
  key: string,
  prompt: SpokenText | null,
  asks = 1
): Effect.Effect<void, LegEnded | TransferFailed> =>
  Effect.flatMap(leg.listen(askAgainAfter), (input) => {
    if (input._tag === "Pressed" && input.digit.includes(key)) return Effect.void
    return asks >= maxAsks
      ? transferFailed("no_answer", "the call was answered, and nobody took it")
      : Effect.zipRight(say(leg, prompt, true), awaitKey(leg, key, prompt, asks + 1))
  })

/** Tells the person who has answered what it is about, and completes when they have taken the call. */
export const briefPerson = (
  line: Leg | AudioLine,
  leg: Leg,
  { acceptKey, briefing, prompt }: Pick<TransferRequest, "acceptKey" | "briefing" | "prompt">
): Effect.Effect<void, TransferFailed> =>
  Effect.gen(function*() {
    yield* say(leg, briefing, acceptKey !== null)
    if (acceptKey !== null) {
      yield* say(leg, prompt, true)
      yield* awaitKey(leg, acceptKey, prompt)
    }
    if (line.answeredBy?.() === "machine") return yield* machineAnswered
  }).pipe(
    whilePerson(line, leg),
    Effect.catchTag("LegEnded", (end) => Effect.fail(hungUp(line)(end))),
    (work) =>
      Effect.flatMap(BusinessTime.now, (now) =>
        timeoutAt(now + maxMillis, transferFailed("no_answer", "nobody took the call in time"))(work))
  )
