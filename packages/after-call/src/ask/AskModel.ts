import { ModelTimedOut } from "@trunkline/errors"
import { redact } from "@trunkline/kernel"
import type { Completion, Model, ModelFailure } from "@trunkline/models"
import { Duration, Effect, Either } from "effect"
import type { AskTally } from "../jobs/AfterCallJob.js"
import { type AfterCallQuestion, requestOf, type UnfitAnswer } from "./Question.js"
import { type AnswerFindings, cutText, readAnswer } from "./ReadAnswer.js"

/** Most answers that may fail to fit before the work fails. */
const maxAnswers = 3

/** Time of one request, after which it is given up. */
const askTimeout = Duration.seconds(30)

/** Longest reason in the record, in UTF-16 units. */
const maxReason = 300

/** Outcome of asking: an answer that fits; a failure for good; or one that another try later may mend. */
export type AskResult =
  | { readonly _tag: "Answered"; readonly answer: AnswerFindings }
  | { readonly _tag: "Failed"; readonly reason: string }
  | { readonly _tag: "Unavailable"; readonly reason: string; readonly retryAfter: Duration.Duration }

const addTokens = (sum: number | null, tokens: number | undefined): number | null =>
  tokens === undefined ? sum : (sum ?? 0) + tokens

const addTry = ({ input_tokens, output_tokens, tries }: AskTally, completion: Completion | null): AskTally => ({
  tries: tries + 1,
  input_tokens: addTokens(input_tokens, completion?.usage?.inputTokens),
  output_tokens: addTokens(output_tokens, completion?.usage?.outputTokens)
})

/** A reason without secrets and personal data, as records have it. */
const reasonText = (reason: string): string => cutText(redact(reason), maxReason)

const failureOf = (reason: string): AskResult => ({ _tag: "Failed", reason: reasonText(reason) })

/** A request that the model cannot do stays one; anything else may pass. */
const verdictOf = (failure: ModelFailure): AskResult =>
  failure._tag === "BadRequest" ? failureOf(failure.message) : {
    _tag: "Unavailable",
    reason: reasonText(failure.message),
    retryAfter: "retryAfter" in failure ? failure.retryAfter ?? Duration.zero : Duration.zero
  }

/** Reads a completion; one that was cut short, or has no text, does not fit either. */
const readCompletion = (question: AfterCallQuestion, { finish, text }: Completion) =>
  finish === "length"
    ? Either.left(["the answer was cut off, since it was too long"])
    : readAnswer(question, text)

/**
 * Asks a model until its answer fits, up to three times, each time with what was wrong. Returns the verdict, and everything that was
 * asked so far.
 */
export const askModel = (
  model: Model,
  question: AfterCallQuestion,
  before: AskTally
): Effect.Effect<{ readonly verdict: AskResult; readonly asked: AskTally }> =>
  Effect.gen(function*() {
    let asked = before
    let unfit: UnfitAnswer | null = null
    for (let answers = 1; answers <= maxAnswers; answers++) {
      const response: Either.Either<Completion, ModelFailure> = yield* model.generate(requestOf(question, unfit)).pipe(
        Effect.timeoutFail({
          duration: askTimeout,
          onTimeout: () =>
            new ModelTimedOut({ message: `The model took longer than ${Duration.toSeconds(askTimeout)} seconds` })
        }),
        Effect.either
      )
      asked = addTry(asked, Either.getOrNull(response))
      if (Either.isLeft(response)) return { verdict: verdictOf(response.left), asked }
      const completion: Completion = response.right
      if (completion.refusal !== null) return { verdict: failureOf("The model refused to answer"), asked }
      const read = readCompletion(question, completion)
      if (Either.isRight(read)) return { verdict: { _tag: "Answered", answer: read.right }, asked }
      unfit = { text: completion.text, problems: read.left }
    }
    return {
      verdict: failureOf(`No answer of the model fits, of ${maxAnswers}: ${unfit?.problems.join("; ") ?? ""}`),
      asked
    }
  })
