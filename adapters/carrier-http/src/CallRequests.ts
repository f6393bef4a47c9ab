import type { WholeResponse } from "@trunkline/http-client"
import { Data, Effect, Option, Schema } from "effect"
import { Call, CallPage } from "./Protocol.js"
import type { ProviderClient, ProviderRequest } from "./ProviderClient.js"

/** A request failed: no response, an error status or an invalid response. */
class RequestFailed extends Data.TaggedError("NotTold")<{
  /** Safe for logs: contains neither address nor content. */
  readonly reason: string
}> {}

/** Delays between attempts of an idempotent request, in milliseconds. */
const retryDelays: ReadonlyArray<number> = [200, 800]

const isTransient = ({ status }: WholeResponse): boolean => status === 429 || status >= 500

/** Sends an idempotent request up to three times. */
const requestWithRetry = (
  client: ProviderClient,
  request: Omit<ProviderRequest, "seconds">
): Effect.Effect<WholeResponse, RequestFailed> => {
  const attempt = client.request({ ...request, seconds: client.settings.timeouts.request_seconds }).pipe(
    Effect.mapError(({ reason }) => new RequestFailed({ reason })),
    Effect.filterOrFail(
      (answer) => !isTransient(answer),
      ({ status }) => new RequestFailed({ reason: `status ${status}` })
    )
  )
  return retryDelays.reduceRight(
    (later: Effect.Effect<WholeResponse, RequestFailed>, pause) =>
      Effect.catchAll(attempt, () => Effect.delay(later, pause)),
    attempt
  )
}

const readCall = Schema.decodeUnknownOption(Call)
const readPage = Schema.decodeUnknownOption(CallPage)

const isSuccess = ({ status }: WholeResponse) => status >= 200 && status < 300

const decodeResponse = <A>(
  answer: WholeResponse,
  read: (json: unknown) => Option.Option<A>
): Effect.Effect<A, RequestFailed> =>
  isSuccess(answer)
    ? Effect.mapError(read(answer.json), () => new RequestFailed({ reason: "the response is not valid" }))
    : Effect.fail(new RequestFailed({ reason: `status ${answer.status}` }))

/** Path of a call. */
export const callPath = (call_id: string) => `/calls/${encodeURIComponent(call_id)}`

/** Gets a call by its id; none when the provider does not know it. */
export const getCall = (client: ProviderClient, call_id: string): Effect.Effect<Option.Option<Call>, RequestFailed> =>
  Effect.flatMap(
    requestWithRetry(client, { path: callPath(call_id) }),
    (answer) =>
      answer.status === 404 || answer.status === 410
        ? Effect.succeed(Option.none())
        : Effect.asSome(decodeResponse(answer, readCall))
  )

const getPage = (client: ProviderClient, query: Readonly<Record<string, string>>) =>
  Effect.flatMap(
    requestWithRetry(client, { path: `/calls?${new URLSearchParams(query)}` }),
    (answer) => decodeResponse(answer, readPage)
  )

/** Lists the calls of an attempt: at most one, unless the provider dialled more than once. */
export const listCallsOfAttempt = (
  client: ProviderClient,
  attempt_id: string
): Effect.Effect<ReadonlyArray<Call>, RequestFailed> =>
  Effect.map(getPage(client, { attempt_id }), ({ calls }) => calls.filter((call) => call.attempt_id === attempt_id))

/** Maximum number of pages to follow. At a thousand calls per page, this exceeds any client's capacity. */
const maxPages = 100

/** Lists all calls in progress. */
export const listLiveCalls = (client: ProviderClient): Effect.Effect<ReadonlyArray<Call>, RequestFailed> =>
  Effect.gen(function*() {
    const matches: Array<Call> = []
    let after: string | null = null
    for (let pages = 0; pages < maxPages; pages++) {
      const { calls, next }: typeof CallPage.Type = yield* getPage(client, {
        live: "true",
        ...(after !== null && { after })
      })
      matches.push(...calls.filter(({ state }) => state !== "over"))
      if (next === null) return matches
      after = next
    }
    return yield* new RequestFailed({ reason: `more than ${maxPages} pages of calls` })
  })

/** Answers an inbound call, and returns it; none when it has ended or the provider does not know it. Idempotent. */
export const answerCall = (
  client: ProviderClient,
  call_id: string
): Effect.Effect<Option.Option<Call>, RequestFailed> =>
  Effect.flatMap(
    requestWithRetry(client, { path: `${callPath(call_id)}/answer`, body: {} }),
    (answer) =>
      answer.status === 404 || answer.status === 410
        ? Effect.succeedNone
        : Effect.asSome(decodeResponse(answer, readCall))
  )

/** Ends a call or stops its ringing, for a reason if it is rejected. Idempotent. */
export const hangUp = (client: ProviderClient, call_id: string, reason?: string): Effect.Effect<void> =>
  requestWithRetry(client, { path: `${callPath(call_id)}/hang-up`, body: reason === undefined ? {} : { reason } }).pipe(
    Effect.filterOrFail(
      (answer) => isSuccess(answer) || answer.status === 404 || answer.status === 410,
      ({ status }) => new RequestFailed({ reason: `status ${status}` })
    ),
    Effect.catchAll(({ reason }) => Effect.logWarning("A call could not be hung up", reason)),
    Effect.asVoid
  )
