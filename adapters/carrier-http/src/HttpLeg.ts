import { type EndedBy, type Heard, type Leg, LegEnded } from "@trunkline/telephony"
import { Duration, Effect, Option, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { hangUp, pathOf } from "./Asking.js"
import type { Line } from "./Lines.js"
import { Gone, HeardAnswer, Said } from "./Protocol.js"

/** How long a turn is asked for again while the provider cannot be reached, in ms; then the line counts as broken. */
const patienceMillis = 15_000

/** The pause after an answer or an error that came at once, in ms. */
const pauseMillis = 250

/** How much longer than it may wait the provider's answer is waited for, in seconds. */
const marginSeconds = 10

const readSaid = Schema.decodeUnknownOption(Said)
const readHeard = Schema.decodeUnknownOption(HeardAnswer)
const readGone = Schema.decodeUnknownOption(Gone)

const endedBy = (json: unknown): EndedBy =>
  Option.match(readGone(json), { onNone: () => "provider", onSome: ({ ended_by }) => ended_by })

const noAnswer = { status: 0, json: undefined }

/**
 * A call that is talking. Each thing that is said or waited for is a turn with a name of its own: asked for again by the
 * same name, the provider answers what came of it and does nothing anew.
 */
export const makeLeg = (line: Line, call_id: string): Leg => {
  const { wait_seconds } = line.settings.timeouts
  const name = randomUUID()
  let turns = 0
  let gone: EndedBy | null = null

  const end = (by: EndedBy) =>
    Effect.suspend(() => {
      gone ??= by
      return Effect.fail(new LegEnded({ by: gone }))
    })

  const giveUp = (why: string) =>
    Effect.logWarning("A conversation was given up: its provider does not go on with it", why).pipe(
      Effect.zipRight(hangUp(line, call_id)),
      Effect.zipRight(end("provider"))
    )

  /** Asks until the turn is over. */
  const turn = <A>(
    kind: "say" | "listen",
    body: Readonly<Record<string, unknown>>,
    read: (json: unknown) => Option.Option<A>
  ): Effect.Effect<A, LegEnded> =>
    Effect.gen(function*() {
      if (gone !== null) return yield* end(gone)
      const question = {
        path: `${pathOf(call_id)}/${kind}`,
        body: { turn: `${name}-${++turns}`, ...body, wait_seconds },
        seconds: wait_seconds + marginSeconds
      }
      for (let since = performance.now();;) {
        const asked = performance.now()
        const answer = yield* Effect.option(line.ask(question))
        const { json, status } = Option.getOrElse(answer, () => noAnswer)
        if (status === 200) {
          const result = read(json)
          return Option.isSome(result) ? result.value : yield* giveUp("an answer cannot be read")
        }
        if (status === 410 || status === 404) return yield* end(endedBy(json))
        const goesOn = status === 202
        if (!goesOn && status !== 0 && status !== 429 && status < 500) return yield* giveUp(`status ${status}`)
        if (goesOn) since = performance.now()
        if (performance.now() - since > patienceMillis) return yield* giveUp("no answer in time")
        yield* Effect.sleep(Math.max(0, pauseMillis - (performance.now() - asked)))
      }
    })

  return {
    say: ({ interruptible, language_name, text }) => turn("say", { text, language_name, interruptible }, readSaid),
    listen: (silence) =>
      Effect.map(
        turn("listen", { silence_seconds: Duration.toSeconds(silence) }, readHeard),
        (answer): Heard => {
          switch (answer.heard) {
            case "said":
              return { _tag: "Said", text: answer.text, en_text: answer.en_text, language_name: answer.language_name }
            case "pressed":
              return { _tag: "Pressed", digit: answer.digit }
            case "silent":
              return { _tag: "Silent" }
          }
        }
      ),
    hangUp: Effect.suspend(() => {
      if (gone !== null) return Effect.void
      gone = "agent"
      return hangUp(line, call_id)
    })
  }
}
