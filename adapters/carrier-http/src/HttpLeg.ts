import { type EndedBy, type Heard, type Leg, LegEnded, type Spoken } from "@trunkline/telephony"
import { Duration, Effect, Option, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { callPath, hangUp } from "./CallRequests.js"
import { CallGoneResponse, ListenResponse, SayResponse } from "./Protocol.js"
import type { ProviderClient } from "./ProviderClient.js"

/** Time for which a turn is retried while the provider is unreachable, in milliseconds; then the call is given up. */
const retryMillis = 15_000

/** Minimum interval between requests, in milliseconds. */
const pauseMillis = 250

/** Extra timeout beyond the time that the provider can hold a turn, in seconds. */
const marginSeconds = 10

const readSaid = Schema.decodeUnknownOption(SayResponse)
const readHeard = Schema.decodeUnknownOption(ListenResponse)
const readGone = Schema.decodeUnknownOption(CallGoneResponse)

const endedByOf = (json: unknown): EndedBy =>
  Option.match(readGone(json), { onNone: () => "provider", onSome: ({ ended_by }) => ended_by })

const noResponse = { status: 0, json: undefined }

/**
 * The leg of a connected call. Every operation is a turn with a unique name, so a retried turn returns its earlier result
 * instead of running again.
 */
export const makeLeg = (client: ProviderClient, call_id: string): Leg => {
  const { wait_seconds } = client.settings.timeouts
  const name = randomUUID()
  let turns = 0
  let endedBy: EndedBy | null = null

  const end = (by: EndedBy) =>
    Effect.suspend(() => {
      endedBy ??= by
      return Effect.fail(new LegEnded({ by: endedBy }))
    })

  const giveUp = (reason: string) =>
    Effect.logWarning("A conversation was given up because its provider stopped responding correctly", reason).pipe(
      Effect.zipRight(hangUp(client, call_id)),
      Effect.zipRight(end("provider"))
    )

  /** Repeats the request until the turn is complete. */
  const turn = <A>(
    kind: "say" | "listen",
    body: Readonly<Record<string, unknown>>,
    read: (json: unknown) => Option.Option<A>
  ): Effect.Effect<A, LegEnded> =>
    Effect.gen(function*() {
      if (endedBy !== null) return yield* end(endedBy)
      const request = {
        path: `${callPath(call_id)}/${kind}`,
        body: { turn: `${name}-${++turns}`, ...body, wait_seconds },
        seconds: wait_seconds + marginSeconds
      }
      for (let since = performance.now();;) {
        const startedAt = performance.now()
        const answer = yield* Effect.option(client.request(request))
        const { json, status } = Option.getOrElse(answer, () => noResponse)
        if (status === 200) {
          const result = read(json)
          return Option.isSome(result) ? result.value : yield* giveUp("invalid response")
        }
        if (status === 410 || status === 404) return yield* end(endedByOf(json))
        const isPending = status === 202
        if (!isPending && status !== 0 && status !== 429 && status < 500) return yield* giveUp(`status ${status}`)
        if (isPending) since = performance.now()
        if (performance.now() - since > retryMillis) return yield* giveUp("no response in time")
        yield* Effect.sleep(Math.max(0, pauseMillis - (performance.now() - startedAt)))
      }
    })

  return {
    say: ({ interruptible, language_name, text }) =>
      Effect.map(
        turn("say", { text, language_name, interruptible }, readSaid),
        ({ ended_by, ...spoken }): Spoken => {
          if (ended_by === undefined) return spoken
          endedBy ??= ended_by
          return { ...spoken, endedBy }
        }
      ),
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
      if (endedBy !== null) return Effect.void
      endedBy = "agent"
      return hangUp(client, call_id)
    })
  }
}
