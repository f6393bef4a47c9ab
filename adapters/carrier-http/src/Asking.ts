import { Data, Effect, Option, Schema } from "effect"
import type { Answer } from "./Exchange.js"
import type { Line, Question } from "./Lines.js"
import { Call, CallPage } from "./Protocol.js"

/** The provider did not tell what it was asked. */
export class NotTold extends Data.TaggedError("NotTold")<{
  /** Fit for a log: tells neither address nor content. */
  readonly reason: string
}> {}

/** How often a question is asked that may be repeated freely, and after how many ms. */
const pauses: ReadonlyArray<number> = [200, 800]

const passes = ({ status }: Answer): boolean => status === 429 || status >= 500

/** Asks a question that changes nothing when it is asked twice, up to three times. */
export const askSafely = (line: Line, question: Omit<Question, "seconds">): Effect.Effect<Answer, NotTold> => {
  const once = line.ask({ ...question, seconds: line.settings.timeouts.request_seconds }).pipe(
    Effect.mapError(({ reason }) => new NotTold({ reason })),
    Effect.filterOrFail((answer) => !passes(answer), ({ status }) => new NotTold({ reason: `status ${status}` }))
  )
  return pauses.reduceRight(
    (later: Effect.Effect<Answer, NotTold>, pause) => Effect.catchAll(once, () => Effect.delay(later, pause)),
    once
  )
}

const readCall = Schema.decodeUnknownOption(Call)
const readPage = Schema.decodeUnknownOption(CallPage)

const isGood = ({ status }: Answer) => status >= 200 && status < 300

const readAs = <A>(answer: Answer, read: (json: unknown) => Option.Option<A>): Effect.Effect<A, NotTold> =>
  isGood(answer)
    ? Effect.mapError(read(answer.json), () => new NotTold({ reason: "the answer cannot be read" }))
    : Effect.fail(new NotTold({ reason: `status ${answer.status}` }))

/** The path of a call. */
export const pathOf = (call_id: string) => `/calls/${encodeURIComponent(call_id)}`

/** The call of this id; none where the provider does not know it. */
export const callById = (line: Line, call_id: string): Effect.Effect<Option.Option<Call>, NotTold> =>
  Effect.flatMap(askSafely(line, { path: pathOf(call_id) }), (answer) =>
    answer.status === 404 || answer.status === 410
      ? Effect.succeed(Option.none())
      : Effect.asSome(readAs(answer, readCall)))

const page = (line: Line, query: Readonly<Record<string, string>>) =>
  Effect.flatMap(
    askSafely(line, { path: `/calls?${new URLSearchParams(query)}` }),
    (answer) => readAs(answer, readPage)
  )

/** The calls of an attempt: one, unless the provider dialled more than once. */
export const callsOf = (line: Line, attempt_id: string): Effect.Effect<ReadonlyArray<Call>, NotTold> =>
  Effect.map(page(line, { attempt_id }), ({ calls }) => calls.filter((call) => call.attempt_id === attempt_id))

/** Pages that are followed: with a thousand calls on each, more than any line carries. */
const mostPages = 100

/** Every call that is not over. */
export const liveCalls = (line: Line): Effect.Effect<ReadonlyArray<Call>, NotTold> =>
  Effect.gen(function*() {
    const found: Array<Call> = []
    let after: string | null = null
    for (let pages = 0; pages < mostPages; pages++) {
      const { calls, next }: typeof CallPage.Type = yield* page(line, {
        live: "true",
        ...(after !== null && { after })
      })
      found.push(...calls.filter(({ state }) => state !== "over"))
      if (next === null) return found
      after = next
    }
    return yield* new NotTold({ reason: `more than ${mostPages} pages of calls` })
  })

/** Ends a call, or stops its ringing; harmless when it is over. */
export const hangUp = (line: Line, call_id: string): Effect.Effect<void> =>
  askSafely(line, { path: `${pathOf(call_id)}/hang-up`, body: {} }).pipe(
    Effect.filterOrFail(
      (answer) => isGood(answer) || answer.status === 404 || answer.status === 410,
      ({ status }) => new NotTold({ reason: `status ${status}` })
    ),
    Effect.catchAll(({ reason }) => Effect.logWarning("A call could not be hung up", reason)),
    Effect.asVoid
  )
