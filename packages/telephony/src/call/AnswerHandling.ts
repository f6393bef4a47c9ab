import { templateFault } from "@trunkline/kernel"
import { Schema } from "effect"

/** Longest text that is said to a machine or a screening service, in characters: about a minute. */
const maxText = 1_000

const Template = Schema.String.pipe(
  Schema.minLength(1),
  Schema.maxLength(maxText),
  Schema.filter((text) => templateFault(text) ?? true)
).annotations({ arbitrary: () => (random) => random.constantFrom("This is {{name}}.", "Please call us back.") })

const machineFields = Schema.Struct({
  /** `report` by default: the agent goes on, and the verdict is in the record of the call. */
  action: Schema.optionalWith(Schema.Literal("report", "hang_up", "leave_message"), {
    default: () => "report" as const
  }),
  /** Message to leave, with variables, at most 1,000 characters; only with `leave_message`. */
  message: Schema.optionalWith(Template, { exact: true }),
  /** Leaves a message once for each contact of a campaign, and hangs up on later machines; true by default. */
  once: Schema.optionalWith(Schema.Boolean, { default: () => true })
})

const MachineHandling = machineFields.pipe(
  Schema.filter(({ action, message }) =>
    action === "leave_message" && message === undefined
      ? { path: ["message"], message: "Is missing: leave_message needs the text to leave" }
      : action !== "leave_message" && message !== undefined
      ? { path: ["message"], message: "Goes with the action leave_message only" }
      : undefined
  ),
  (schema) =>
    schema.annotations({
      arbitrary: () => (random) =>
        random.constantFrom(
          { action: "report" as const, once: true },
          { action: "hang_up" as const, once: true },
          { action: "leave_message" as const, message: "Please call us back, {{name}}.", once: false }
        )
    })
)

const ScreeningHandling = Schema.Struct({
  /** `report` by default; `announce` says who calls and waits until somebody or nobody takes the call. */
  action: Schema.optionalWith(Schema.Literal("report", "hang_up", "announce"), { default: () => "report" as const }),
  /** Caller and reason, with variables, at most 1,000 characters; only with `announce`. */
  text: Schema.optionalWith(Template, { exact: true })
}).pipe(
  Schema.filter(({ action, text }) =>
    action === "announce" && text === undefined
      ? { path: ["text"], message: "Is missing: announce needs the text that tells who calls" }
      : action !== "announce" && text !== undefined
      ? { path: ["text"], message: "Goes with the action announce only" }
      : undefined
  ),
  (schema) =>
    schema.annotations({
      arbitrary: () => (random) =>
        random.constantFrom(
          { action: "report" as const },
          { action: "hang_up" as const },
          { action: "announce" as const, text: "This is Asha of the clinic." }
        )
    })
)

const IvrHandling = Schema.Struct({
  /** `report` by default. */
  action: Schema.optionalWith(Schema.Literal("report", "hang_up"), { default: () => "report" as const })
})

/**
 * Conduct of an outbound call when something other than a person answers. With it, the agent waits until it is known who has
 * answered, at most 6 seconds, before it says its first words. A fax or a tone of the network always ends the call.
 */
export const AnswerHandling = Schema.Struct({
  machine: Schema.optionalWith(MachineHandling, { default: () => ({ action: "report" as const, once: true }) }),
  screening: Schema.optionalWith(ScreeningHandling, { default: () => ({ action: "report" as const }) }),
  ivr: Schema.optionalWith(IvrHandling, { default: () => ({ action: "report" as const }) })
})
export type AnswerHandling = typeof AnswerHandling.Type

/** The handling that only finds out who has answered. */
export const reportedAnswers: AnswerHandling = {
  machine: { action: "report", once: true },
  screening: { action: "report" },
  ivr: { action: "report" }
}

/** The handling for a contact on whose machine a message was left before: later machines are hung up on. */
export const afterMessage = (handling: AnswerHandling): AnswerHandling =>
  handling.machine.action === "leave_message" && handling.machine.once
    ? { ...handling, machine: { action: "hang_up", once: true } }
    : handling
