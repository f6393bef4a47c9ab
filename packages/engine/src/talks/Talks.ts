import { AgentCatalog, stateNames, undeclaredVariables } from "@trunkline/agents"
import { Conversation, conversationDefaults } from "@trunkline/conversation"
import {
  type BillingUnavailable,
  type InsufficientCredits,
  Invalid,
  NotAllowed,
  NotFound,
  RateLimited,
  RuleViolation
} from "@trunkline/errors"
import { type AppId, Ids, PhoneNumber, type Scope, scopeKey } from "@trunkline/kernel"
import { findModel, LanguageModel, ModelCatalog } from "@trunkline/models"
import { type AccountId, Credits, mayUseModel, type Principal } from "@trunkline/rate-limits"
import { CallHandler } from "@trunkline/telephony"
import { Clock, Context, Duration, Effect, Fiber, Layer, Option } from "effect"
import type { TalkAnswer, TalkRequest } from "./Talk.js"
import { makeTalkSession, TalkMeter, type TalkSession } from "./TalkSession.js"

/** Most talks at once in a process, and of one account. */
const maxTalks = { process: 200, account: 10 }

/** Longest time that an answer is waited for. */
const answerTimeout = Duration.seconds(60)

/** Most tokens of an answer, which are reserved before it. */
const maxTokens = { input_token: 16_000, output_token: 2_000 }

/** Numbers that a talk shows to its agent; nobody is called. */
const person = PhoneNumber.make("+919800000001")
const line = PhoneNumber.make("+911140000001")

/** Words to an agent. */
type Said = TalkRequest & { readonly app_id: AppId }

interface Held {
  readonly session: TalkSession
  readonly account_id: string
  readonly workspace: string
  readonly app_id: AppId
  readonly app_version: number
  /** Family of the model's price; a script needs no model. */
  readonly api: string
  readonly charged: typeof maxTokens | Record<string, never>
}

type TalkFailure =
  | BillingUnavailable
  | InsufficientCredits
  | Invalid
  | NotAllowed
  | NotFound
  | RateLimited
  | RuleViolation

/** The model, which tells the meter of a talk what it has used. */
const meteredModel = Layer.effect(
  LanguageModel,
  Effect.map(LanguageModel, (model) => ({
    ...model,
    generate: (request) =>
      Effect.tap(model.generate(request), ({ usage }) =>
        Effect.map(TalkMeter, (meter) => {
          if (usage !== null) meter?.({ input: usage.inputTokens, output: usage.outputTokens })
        }))
  }))
)

/**
 * Talks with agents by text, as with a person on the phone: the same conversation, with tools that really run. They are kept in
 * this process, the latest 10 of an account and 200 in all, until 5 minutes without words. Each answer is charged as one of chat.
 */
export class Talks extends Context.Tag("@trunkline/engine/Talks")<Talks, {
  /** Says something to an agent, in a new talk or one that goes on, and waits until the agent listens again. */
  readonly say: (
    caller: Principal,
    scope: Scope,
    input: Said
  ) => Effect.Effect<TalkAnswer, TalkFailure>
}>() {
  static readonly layer = Layer.scoped(
    Talks,
    Effect.gen(function*() {
      const agents = yield* AgentCatalog
      const catalog = yield* ModelCatalog
      const credits = yield* Credits
      const ids = yield* Ids
      const handler = Context.get(
        yield* Layer.build(Layer.provide(Conversation.layerWith({ checkCalls: false }), meteredModel)),
        CallHandler
      )
      const around = yield* Effect.scope
      const talks = new Map<string, Held>()

      const versionOf = Effect.fnUntraced(function*(scope: Scope, { app_id, app_version }: Said) {
        const agent = Option.getOrUndefined(yield* agents.find(scope, app_id))
        if (agent === undefined) return yield* new NotFound({ resource: "agent", id: app_id })
        const newest = Math.max(...agent.versions.map((version) => version.app_version))
        const version = agent.versions.find((each) => each.app_version === (app_version ?? newest))
        return version ?? (yield* Invalid.at(["body", "app_version"], "value_error", "The agent has no such version"))
      })

      /** Ends the oldest talk of an account that has as many as it may; fails when the process has. */
      const makeRoom = Effect.fnUntraced(function*(account: AccountId) {
        const accountTalks = [...talks].filter(([, { account_id }]) => account_id === account)
        const [oldest] = accountTalks
        if (oldest !== undefined && accountTalks.length >= maxTalks.account) {
          talks.delete(oldest[0])
          yield* oldest[1].session.say(null)
        }
        if (talks.size >= maxTalks.process) {
          return yield* new RateLimited({ api: "talk", reason: "connections", retryAfter: Duration.minutes(1) })
        }
      })

      const begin = Effect.fnUntraced(function*(
        caller: Principal,
        scope: Scope,
        input: Said
      ) {
        const version = yield* versionOf(scope, input)
        const { agent_variables = {}, app_id, initial_language_name, initial_state_name } = input
        const [unknownName] = undeclaredVariables(version, agent_variables)
        if (unknownName !== undefined) {
          const at = ["body", "agent_variables", unknownName]
          return yield* Invalid.at(at, "value_error", "The version does not declare this variable")
        }
        if (initial_state_name !== undefined && stateNames(version)?.includes(initial_state_name) !== true) {
          return yield* Invalid.at(["body", "initial_state_name"], "value_error", "The version has no such state")
        }
        const model = version.model ?? conversationDefaults.model
        if (version.script === undefined && !mayUseModel(caller, model)) {
          return yield* new NotAllowed({ message: "This API key may not use the model of this agent" })
        }
        yield* makeRoom(caller.account_id)
        const session = yield* makeTalkSession({
          attempt_id: yield* ids.attemptId,
          scope,
          direction: "inbound",
          app_id,
          app_version: version.app_version,
          user_phone_number: person,
          agent_phone_number: line,
          agent_variables,
          app_overrides: {
            ...(initial_language_name !== undefined && { initial_language_name }),
            ...(initial_state_name !== undefined && { initial_state_name })
          },
          maxDuration: Duration.seconds(version.max_duration_seconds)
        })
        const id = yield* ids.uuid
        const api = findModel(catalog, model)?.tier === "core" ? "chat_core" : "chat"
        const { app_version } = version
        const maxCharge = version.script === undefined ? maxTokens : {}
        const { account_id } = caller
        const talk: Held = {
          session,
          account_id,
          workspace: scopeKey(scope),
          app_id,
          app_version,
          api,
          charged: maxCharge
        }
        talks.set(id, talk)
        const run = Effect.interruptible(Effect.ensuring(session.run(handler), Effect.sync(() => talks.delete(id))))
        return { id, held: talk, proceed: Effect.asVoid(Effect.forkIn(run, around)) }
      })

      const goOn = Effect.fnUntraced(function*(caller: Principal, scope: Scope, id: string, input: TalkRequest) {
        const talk = talks.get(id)
        if (talk?.account_id !== caller.account_id || talk.workspace !== scopeKey(scope)) {
          return yield* new NotFound({ resource: "talk", id })
        }
        const answers = RuleViolation.at(["body", "talk_id"], "The agent still answers: wait for it")
        if (!talk.session.isQuiet()) return yield* answers
        // Checked once more when it is paid for: another request may have spoken meanwhile.
        const proceed = Effect.suspend(() =>
          talk.session.isQuiet() ? talk.session.say(input.hang_up === true ? null : input.text ?? "") : answers
        )
        return { id, held: talk, proceed }
      })

      const say = Effect.fn("Talks.say")(function*(
        caller: Principal,
        scope: Scope,
        input: Said
      ) {
        const start = yield* Clock.currentTimeMillis
        const { held, id, proceed } = yield* input.talk_id === undefined
          ? begin(caller, scope, input)
          : goOn(caller, scope, input.talk_id, input)
        const charge = { payer: caller, request_id: yield* ids.requestId, api: held.api, max: held.charged }
        let isRunning = input.talk_id !== undefined
        const forget = Effect.sync(() => void (!isRunning && talks.delete(id)))
        // Tokens that were used are paid for, also when nobody waits for the answer any more.
        const answer = Effect.uninterruptible(Effect.gen(function*() {
          yield* proceed
          isRunning = true
          // A fiber of its own, since what is not interruptible would wait for the end of the time.
          const waiting = Effect.interruptible(Effect.timeoutOption(held.session.quiet, answerTimeout))
          yield* Fiber.join(yield* Effect.forkDaemon(waiting))
          const value = held.session.news()
          return { value, used: { input_token: value.tokens.input, output_token: value.tokens.output } }
        }))
        const news = yield* Effect.onError(credits.pay(charge, answer), () => forget)
        const { app_id, app_version } = held
        return { talk_id: id, app_id, app_version, took: (yield* Clock.currentTimeMillis) - start, ...news }
      })

      return Talks.of({ say })
    })
  )
}
