import { type Invalid, type RuleViolation, Unavailable } from "@trunkline/errors"
import {
  type AttemptId,
  Bus,
  BusinessTime,
  checkWebAddress,
  Ids,
  type Scope,
  unchecked,
  WebAddressRules
} from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Queue } from "effect"
import { Attempts } from "../attempts/Attempts.js"
import { AttemptStore } from "../attempts/AttemptStore.js"
import { blockedNumber, BlockedNumbers } from "../blocked/BlockedNumbers.js"
import { Attempt } from "../call/Attempt.js"
import { notConnected } from "../call/CallOutcome.js"
import type { CreateOutbound } from "../call/Outbound.js"
import { Calls } from "../calls/Calls.js"
import { CallRegistry, LiveCalls } from "../calls/LiveCalls.js"
import { Carriers } from "../carriers/Carrier.js"
import { Connections } from "../carriers/Connection.js"
import { CallSlots } from "../lines/CallSlots.js"
import { LineHealth } from "../lines/LineHealth.js"
import { agentIssues, AgentVersions, connectionIssues, failOnIssues } from "../ReferenceChecks.js"

/** True unless this process leaves calls to others that share its stores, and dial. */
export class DialsHere extends Context.Reference<DialsHere>()("@trunkline/telephony/DialsHere", {
  defaultValue: () => true
}) {}

/** Topic of the hint that a call waits for a process that dials. */
export const outboundTopic = "outbound-call"

/** Single outbound calls: started immediately, never retried, independent of campaign windows. */
export class Outbounds extends Context.Tag("@trunkline/telephony/Outbounds")<Outbounds, {
  /** Records a call and starts it; the call waits when no slot is free. */
  readonly start: (
    scope: Scope,
    body: CreateOutbound
  ) => Effect.Effect<AttemptId, Invalid | RuleViolation | Unavailable>
  /** Resumes a call that was recorded before a restart and certainly not dialled. */
  readonly resume: (attempt: Attempt) => Effect.Effect<void>
  /** Dials the recorded calls until interrupted. Calls in progress continue after an interruption. */
  readonly run: Effect.Effect<never>
}>() {
  static readonly layer = Layer.effect(
    Outbounds,
    Effect.gen(function*() {
      const agents = yield* AgentVersions
      const connections = yield* Connections
      const carriers = yield* Carriers
      const store = yield* AttemptStore
      const attempts = yield* Attempts
      const calls = yield* Calls
      const slots = yield* CallSlots
      const health = yield* LineHealth
      const blockedNumbers = yield* BlockedNumbers
      const live = yield* LiveCalls
      const registry = yield* CallRegistry
      const ids = yield* Ids
      const addresses = yield* WebAddressRules
      const bus = yield* Bus
      const dialsHere = yield* DialsHere
      const waiting = yield* Queue.unbounded<Attempt>()

      const start = Effect.fn("Outbounds.start")(function*(scope: Scope, body: CreateOutbound) {
        const { app_config: app, user_config: user } = body
        const line = app.connection_config
        const issues = yield* Effect.all([
          agentIssues(agents, scope, { ...app, loc: ["body", "app_config"] }),
          connectionIssues(connections, scope, [{
            connection_id: line.connection_id,
            phone_numbers: [line.agent_phone_number],
            loc: ["body", "app_config", "connection_config"],
            key: "agent_phone_number"
          }])
        ])
        const stoppedNumbers = yield* blockedNumbers.filterBlocked(scope, [user.user_phone_number])
        yield* failOnIssues([
          ...issues.flat(),
          ...(stoppedNumbers.has(user.user_phone_number) ? [numberIsBlocked] : [])
        ])
        if (body.webhook_config !== null) {
          yield* checkWebAddress(body.webhook_config.url, ["body", "webhook_config", "url"], addresses)
        }
        const connection = yield* Effect.map(connections.find(scope, line.connection_id), Option.getOrThrow)
        const carrier = yield* Option.match(carriers.find(connection.provider), {
          onNone: () =>
            Effect.fail(new Unavailable({ message: "The phone line of this connection is out of service" })),
          onSome: Effect.succeed
        })
        const attempt = new Attempt({
          attempt_id: yield* ids.attemptId,
          org_id: scope.org_id,
          workspace_id: scope.workspace_id,
          kind: "outbound",
          app_id: app.app_id,
          app_version: app.app_version,
          campaign_id: null,
          cohort_id: null,
          deployment_id: null,
          connection_id: connection.connection_id,
          channel_provider: carrier.provider,
          channel_protocol: carrier.protocol,
          user_identifier: user.user_identifier ?? user.user_phone_number,
          user_phone_number: user.user_phone_number,
          agent_phone_number: line.agent_phone_number,
          retry_attempt: 0,
          agent_variables: app.agent_variables,
          app_overrides: app.app_overrides ?? {},
          ...(app.answer_handling !== null && { answer_handling: app.answer_handling }),
          webhook: body.webhook_config,
          attempted_at: yield* BusinessTime.now,
          state: "pending",
          provider_call_id: null,
          result: null
        })
        yield* Effect.uninterruptible(
          dialsHere
            ? Effect.zipRight(store.insertMany([attempt]), Queue.offer(waiting, attempt))
            : Effect.zipRight(store.insertForOthers(attempt), bus.publish(outboundTopic))
        )
        return attempt.attempt_id
      })

      /** Waits for a slot and a healthy line, then hands the call to `LiveCalls`. */
      const carryOut = (attempt: Attempt): Effect.Effect<void> =>
        Effect.uninterruptible(Effect.gen(function*() {
          const connection = yield* connections.find(attempt, attempt.connection_id)
          if (Option.isNone(connection)) return yield* Effect.asVoid(live.start(dial(attempt)))
          const slot = yield* slots.take(attempt, connection.value, { _tag: "Single" })
          const permit = yield* health.permit(attempt.connection_id)
          if (permit._tag === "Paused") {
            yield* Effect.zipRight(slot.release, Effect.interruptible(BusinessTime.sleepUntil(permit.until)))
            return yield* carryOut(attempt)
          }
          if (!(yield* live.start(Effect.ensuring(dial(attempt), slot.release)))) yield* slot.release
        }))

      /** Says that an attempt is carried while an effect runs, so that nothing takes it for lost. */
      const carrying = ({ attempt_id }: Attempt, effect: Effect.Effect<void>) =>
        Effect.acquireUseRelease(registry.add(attempt_id), () => effect, () => registry.remove(attempt_id))

      const dial = (attempt: Attempt) =>
        carrying(
          attempt,
          Effect.gen(function*() {
            const { attempt_id, connection_id, user_phone_number } = attempt
            const now = yield* BusinessTime.now
            const handBack = health.report(connection_id, "none", now)
            if (attempt.state === "pending" && !(yield* store.claim(attempt_id, now))) return yield* handBack
            const claimedAttempt = attempt.state === "pending"
              ? new Attempt({ ...attempt, state: "claimed", attempted_at: now }, unchecked)
              : attempt
            const mayDial = Effect.map(
              blockedNumbers.filterBlocked(attempt, [user_phone_number]),
              (numbers) => numbers.size === 0
            )
            const placement = (yield* mayDial)
              ? yield* calls.place(claimedAttempt, { mayDial })
              : yield* Effect.as(handBack, notConnected("blocked", blockedNumber))
            if (placement._tag === "Disowned") return
            if (placement._tag === "Withdrawn") yield* Queue.offer(waiting, claimedAttempt)
            else yield* attempts.end({ attempt_id, outcome: placement })
          })
        )

      return Outbounds.of({
        start,
        resume: (attempt) => Effect.asVoid(Queue.offer(waiting, attempt)),
        run: Effect.scoped(Effect.forever(
          Effect.flatMap(Queue.take(waiting), (attempt) => Effect.forkScoped(carrying(attempt, carryOut(attempt))))
        ))
      })
    })
  )
}

const numberIsBlocked = {
  loc: ["body", "user_config", "user_phone_number"],
  msg: "This number is on the workspace's list of blocked numbers",
  type: "rule_violation"
} as const
