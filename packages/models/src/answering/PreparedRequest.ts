import { BadRequest } from "@trunkline/errors"
import { flatMapNow, mapNow, valueNow } from "@trunkline/kernel"
import { Effect } from "effect"
import type { Message } from "../Message.js"
import { findModel, type ModelFacts } from "../ModelCatalog.js"
import type { ModelRequest } from "../ModelRequest.js"
import { type PromptTexts, promptTexts } from "../tokens/PromptTexts.js"
import type { TokenCounterService } from "../tokens/TokenCounter.js"

/** A validated request, with its token count. */
export interface PreparedRequest {
  /** The request, with the output limit that follows from the context. */
  readonly request: ModelRequest
  readonly facts: ModelFacts
  /** Input tokens, counted on first use. */
  readonly inputTokens: () => Effect.Effect<number>
}

/** Properties assumed of a model outside the catalog: it supports everything. */
const unknownModel: ModelFacts = {
  routes: [],
  contextTokens: null,
  tier: "default",
  thinking: { when: "never", onChat: [], onResponses: [] },
  images: true,
  imageTokens: 0,
  logprobs: true,
  defaults: { temperature: 1, topP: 1 },
  created: 0,
  ownedBy: ""
}

/** A token has at least one byte, and a UTF-16 unit at most three bytes in UTF-8. */
const maxTokensPerUnit = 3

const hasImages = ({ content }: Message): boolean =>
  typeof content !== "string" && (content ?? []).some(({ type }) => type === "image")

const badRequest = (message: string) => new BadRequest({ message, param: null })

/** Finds a feature that a request needs and its model lacks. */
const missingCapability = ({ logprobs, messages, model }: ModelRequest, facts: ModelFacts): BadRequest | null => {
  if (!facts.images && messages.some(hasImages)) return badRequest(`${model} does not take images`)
  if (!facts.logprobs && logprobs !== undefined) return badRequest(`${model} does not tell logprobs`)
  return null
}

const tooLong = (context: number, input: number, output: number) =>
  badRequest(
    `The context of this model holds ${context} tokens. The input takes about ${input} of them${
      output > 0 ? `, and ${output} are asked for the output` : ""
    }.`
  )

/** UTF-16 units of texts that are counted without a pause: less than a millisecond. */
const atOnce = 65_536

/** Total tokens of texts that are short together and whose counts need no waiting; undefined for others. */
const countNow = ({ count }: TokenCounterService, texts: ReadonlyArray<string>): number | undefined => {
  let [units, tokens] = [0, 0]
  for (const text of texts) {
    units += text.length
    const tokenCount = units > atOnce ? undefined : valueNow(count(text))
    if (tokenCount === undefined) return undefined
    tokens += tokenCount
  }
  return tokens
}

/** Total tokens of texts. */
const countAll = (counter: TokenCounterService, texts: ReadonlyArray<string>): Effect.Effect<number> => {
  const tokenCount = countNow(counter, texts)
  return tokenCount === undefined
    ? Effect.map(Effect.forEach(texts, counter.count), (counts) => counts.reduce((sum, count) => sum + count, 0))
    : Effect.succeed(tokenCount)
}

/** Counts the input tokens once, on first use. */
const lazyCount = (counter: TokenCounterService, { texts, tokens }: PromptTexts) => {
  let tokenCount: number | undefined
  return (): Effect.Effect<number> =>
    tokenCount !== undefined
      ? Effect.succeed(tokenCount)
      : mapNow(countAll(counter, texts), (sum) => tokenCount = tokens + sum)
}

/** Checks that a model can answer a request, and limits its output to the rest of the context. Mostly needs no waiting. */
export const prepare = (
  { counter, catalog }: {
    readonly counter: TokenCounterService
    readonly catalog: Readonly<Record<string, ModelFacts>>
  },
  request: ModelRequest,
  usualOutputTokens?: number
): Effect.Effect<PreparedRequest, BadRequest> => {
  const facts = findModel(catalog, request.model) ?? unknownModel
  const lack = missingCapability(request, facts)
  if (lack !== null) return lack
  const prompt = promptTexts(request, facts)
  const inputTokens = lazyCount(counter, prompt)
  const { contextTokens: context } = facts
  const limit = request.limits?.maxOutputTokens
  const within = (maxOutputTokens: number | undefined): PreparedRequest => ({
    request: maxOutputTokens === undefined ? request : { ...request, limits: { ...request.limits, maxOutputTokens } },
    facts,
    inputTokens
  })
  const wish = limit ?? usualOutputTokens
  if (context === null) return Effect.succeed(within(wish))
  const maxTokens = prompt.texts.reduce((sum, { length }) => sum + length * maxTokensPerUnit, prompt.tokens)
  if (maxTokens + (wish ?? 1) <= context) return Effect.succeed(within(wish))
  return flatMapNow(inputTokens(), (input) =>
    input + (limit ?? 1) > context
      ? tooLong(context, input, limit ?? 0)
      : Effect.succeed(within(wish === undefined ? undefined : Math.min(wish, context - input))))
}
