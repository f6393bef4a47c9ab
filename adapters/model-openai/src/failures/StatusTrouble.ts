import { BadRequest, ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import type { ModelFailure } from "@trunkline/models"
import { Duration } from "effect"
import type { ErrorWords } from "./ErrorWords.js"
import type { Trouble } from "./Trouble.js"

const tooLong =
  /context.?(length|window|size)|maximum context|max_prompt|too many (input )?tokens|(prompt|input) is too long|inputs?`? must have less/

const refusedContent = /content.?(policy|filter|management|violation)|moderation|responsible.?ai|safety|flagged/

/** Codes that tell more than the status that they come with. */
const telling: ReadonlyArray<readonly [code: RegExp, status: number]> = [
  [/insufficient_quota|billing|insufficient_balance/, 402],
  [/invalid_api_key|authentication|permission|unauthorized/, 401],
  [/model_not_found|not_found_error|notfounderror/, 404]
]

/** Codes of errors that come without a status, as those inside a stream do. */
const codesOnly: ReadonlyArray<readonly [code: RegExp, status: number]> = [
  [/rate.?limit|too_many_requests/, 429],
  [/overload|unavailable|capacity/, 503],
  [/time.?out|deadline/, 504],
  [/invalid|bad.?request|validation|unsupported/, 400]
]

/** For an upstream that does not say when to come back: the first pause of the specification's retry guidance. */
const usualRetryAfter = Duration.seconds(1)

const within = (table: ReadonlyArray<readonly [code: RegExp, status: number]>, codes: string): number | undefined =>
  table.find(([code]) => code.test(codes))?.[1]

/** The fields that a place in the request may begin with, in the words of this API. */
const fields: ReadonlySet<string> = new Set([
  "messages",
  "temperature",
  "top_p",
  "top_k",
  "max_tokens",
  "stop",
  "seed",
  "presence_penalty",
  "frequency_penalty",
  "tools",
  "tool_choice",
  "response_format",
  "reasoning_effort",
  "logprobs",
  "top_logprobs"
])

const badRequest = (words: ErrorWords): BadRequest => {
  const field = /^\w+/.exec(words.param)?.[0] ?? ""
  const param = fields.has(field) ? field : null
  const place = param === null ? "" : `: it does not accept its ${param}`
  return new BadRequest({ message: `The model's provider does not accept this request${place}`, param })
}

const byStatus = (status: number, words: ErrorWords, retryAfter: Duration.Duration | null): ModelFailure => {
  switch (status) {
    case 400:
    case 422:
      return badRequest(words)
    case 401:
    case 403:
      return new ModelUnavailable({ message: "The model's provider refused our key", lasting: true })
    case 402:
      return new ModelUnavailable({ message: "Our account with the model's provider is used up", lasting: true })
    case 404:
      return new ModelUnavailable({ message: "The model's provider does not have this model", lasting: true })
    case 408:
    case 504:
    case 524:
      return new ModelTimedOut({ message: "The model's provider did not answer in time" })
    case 413:
      return new BadRequest({ message: "The request is too large for the model's provider", param: null })
    case 429:
      return new ModelRateLimited({
        message: "The model's provider has had enough requests for now",
        retryAfter: retryAfter ?? usualRetryAfter
      })
    case 503:
    case 529:
    case 521:
    case 522:
    case 523:
      return new ModelUnavailable({
        message: "The model is overloaded or out of service. Try again later.",
        ...retryAfter !== null && { retryAfter }
      })
    default:
      return new ModelFailed({ message: "The model's provider failed. Try again." })
  }
}

/** Statuses that say that something is wrong with the request; only there the message tells what. */
const refusals: ReadonlySet<number> = new Set([400, 403, 413, 422])

const byContent = (status: number, { codes, message }: ErrorWords): BadRequest | null => {
  const said = refusals.has(status) ? `${codes} ${message}` : codes
  if (tooLong.test(said)) {
    return new BadRequest({ message: "The request does not fit into the context of this model", param: null })
  }
  return refusedContent.test(said)
    ? new BadRequest({ message: "The model's provider does not accept this content", param: null })
    : null
}

/**
 * What an error of an upstream means (design: llm 5.12). `status` is that of the answer; 200 for an error inside one.
 * 52x are those of proxies that do not reach the server behind them, 529 is that of an overloaded one.
 */
export const statusTrouble = (
  status: number,
  words: ErrorWords,
  retryAfter: Duration.Duration | null = null
): Trouble => {
  const told = status < 400 ? words.status ?? within(codesOnly, words.codes) ?? 500 : status
  const meant = within(telling, words.codes) ?? told
  return {
    failure: byContent(meant, words) ?? byStatus(meant, words, retryAfter),
    note: `status ${status}, as ${meant}`
  }
}
