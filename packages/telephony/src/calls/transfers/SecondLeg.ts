import { BusinessTime, Ids, type PhoneNumber, timeoutAfter, timeoutAt } from "@trunkline/kernel"
import { Duration, Effect, Option, Schema, type Scope } from "effect"
import type { Attempt } from "../../call/Attempt.js"
import type { AudioLine } from "../../call/AudioLine.js"
import type { Leg } from "../../call/Leg.js"
import { cannotTransfer, type TransferOutcome, type TransferRequest } from "../../call/Transfer.js"
import { type Carrier, Carriers, type DialPlan, type NotAnswered, type PlacedCall } from "../../carriers/Carrier.js"
import { type Connection, Connections } from "../../carriers/Connection.js"
import { CallSlots } from "../../lines/CallSlots.js"
import { CallLimitsOption, endWithTimeout } from "../CallLimits.js"
import { CallRegistry } from "../LiveCalls.js"

/** A transfer has come to nothing, and the caller is back with the agent. */
export class TransferFailed extends Schema.TaggedError<TransferFailed>()("TransferFailed", {
  outcome: Schema.Literal("no_answer", "busy", "declined", "failed"),
  reason: Schema.NullOr(Schema.String)
}) {}

/** A failure of a transfer. */
export const transferFailed = (outcome: TransferFailed["outcome"], reason: string | null) =>
  new TransferFailed({ outcome, reason })

/** A transfer on a line that has no means for it. */
export const unsupported = transferFailed("failed", cannotTransfer)

/** Timeout for a provider to accept the call, in technical time. */
const acceptTimeout = Duration.seconds(10)

/** Time beyond that of ringing in which the provider tells that nobody has answered, in business time. */
const tellTime = Duration.seconds(3)

const outcomes: Readonly<Record<NotAnswered["status"], Exclude<TransferOutcome, "transferred" | "cancelled">>> = {
  busy: "busy",
  no_answer: "no_answer",
  failed: "failed",
  provider_error: "failed"
}

const notReached = ({ reason, status }: Pick<NotAnswered, "reason" | "status">) =>
  reason === "declined" ? transferFailed("declined", null) : transferFailed(outcomes[status], reason)

const isNumber = (to: string): to is PhoneNumber => to.startsWith("+")

/** Number of the caller: that of the call where the line has it, otherwise the first of the line's own. */
const callerOn = ({ phone_numbers }: Connection, number: PhoneNumber): PhoneNumber =>
  phone_numbers.includes(number) ? number : phone_numbers[0] ?? number

/**
 * Makes what calls the target of a transfer from our side. The call takes a slot like any other one, and is hung up with its
 * scope.
 */
export const makeSecondLegs = Effect.gen(function*() {
  const carriers = yield* Carriers
  const connections = yield* Connections
  const slots = yield* Effect.serviceOption(CallSlots)
  const registry = yield* CallRegistry
  const ids = yield* Ids
  const { maxDuration } = yield* CallLimitsOption

  const takeSlot = (attempt: Attempt, connection: Connection) =>
    Option.match(slots, {
      onNone: () => Effect.void,
      onSome: ({ tryTake }) =>
        Effect.flatMap(
          Effect.acquireRelease(
            tryTake(attempt, connection, { _tag: "Single" }),
            (slot) => slot.isTaken ? slot.release : Effect.void
          ),
          (slot) => slot.isTaken ? Effect.void : transferFailed("failed", "all channels of the line are taken")
        )
    })

  const place = (carrier: Carrier, plan: DialPlan) =>
    Effect.acquireRelease(
      carrier.place(plan).pipe(
        Effect.mapError(({ reason, status }) => notReached({ status: status ?? "provider_error", reason })),
        timeoutAfter(acceptTimeout, transferFailed("failed", "the provider did not respond in time"))
      ),
      ({ cancel }: PlacedCall) => endWithTimeout(cancel)
    )

  /** Calls the target, and completes when it has answered. */
  return (
    attempt: Attempt,
    { connection_id, ringTimeout, to }: TransferRequest
  ): Effect.Effect<Leg | AudioLine, TransferFailed, Scope.Scope> =>
    Effect.gen(function*() {
      const connection = yield* connections.find(attempt, connection_id ?? attempt.connection_id)
      if (Option.isNone(connection) && connection_id !== null) {
        return yield* transferFailed("failed", `there is no line ${connection_id}`)
      }
      const carrier = Option.flatMap(connection, ({ provider }) => carriers.find(provider))
      if (Option.isNone(connection) || Option.isNone(carrier)) return yield* unsupported
      if (!isNumber(to) && carrier.value.dialsAddresses !== true) {
        return yield* transferFailed("failed", "this line cannot call SIP addresses")
      }
      yield* takeSlot(attempt, connection.value)
      const attempt_id = yield* ids.attemptId
      yield* Effect.acquireRelease(registry.add(attempt_id), () => registry.remove(attempt_id))
      const plan: DialPlan = {
        attempt_id,
        connection: connection.value,
        from: callerOn(connection.value, attempt.agent_phone_number),
        ...(isNumber(to) ? { to } : { to: attempt.agent_phone_number, address: to }),
        ringTimeout,
        maxDuration
      }
      const { answer } = yield* place(carrier.value, plan)
      const now = yield* BusinessTime.now
      return yield* answer.pipe(
        Effect.mapError(notReached),
        timeoutAt(now + Duration.toMillis(Duration.sum(ringTimeout, tellTime)), transferFailed("no_answer", null))
      )
    })
})
