import { ConnectionId } from "@trunkline/kernel"
import { Schema } from "effect"
import { Localized, optional } from "./Templates.js"

/** Names of the tools that act on the line of a call. */
export const lineTools = ["transfer_call", "send_digits"] as const
export type LineTool = (typeof lineTools)[number]

/** Address of a person: a number in E.164, such as `+911140000050`, or a SIP URI, such as `sip:desk@pbx.example`. */
const Address = Schema.String.pipe(
  Schema.pattern(/^(?:\+[1-9]\d{6,14}|sips?:[^\s<>"?,;@]+@[^\s<>"?,@]+)$/, {
    message: () => "Must be a number such as +911140000050, or a SIP address such as sip:desk@pbx.example",
    arbitrary: () => (fc) => fc.constantFrom("+911140000050", "sip:desk@pbx.example")
  })
)

const Keys = Schema.String.pipe(
  Schema.pattern(/^[0-9*#A-Dw]{1,64}$/, {
    message: () => "Must be 1 to 64 keys: 0 to 9, *, #, A to D, and w for a pause of half a second",
    arbitrary: () => (fc) => fc.constantFrom("123", "ww42#")
  })
)

/** A person or a number to whom an agent can transfer calls. */
export const TransferTarget = Schema.Struct({
  /** Name by which the model chooses it. */
  name: Schema.String.pipe(Schema.nonEmptyString(), Schema.maxLength(64)),
  /** Number in E.164, or SIP URI. */
  to: Address,
  /** Description for the model: when calls are transferred there. */
  description: Schema.NonEmptyString,
  /** `blind` connects the caller at once; `warm` tells the person first what it is about. Default `blind`. */
  kind: Schema.optionalWith(Schema.Literal("blind", "warm"), { exact: true, default: () => "blind" as const }),
  /** Line over which the target is called, by its `connection_id`; absent: that of the call. */
  connection_id: optional(ConnectionId),
  /** Keys to press after the answer, such as `ww204#` for an extension, where `w` waits half a second. */
  extension: optional(Keys),
  /** True hides the keys of `extension` in the record of the call; default false. */
  mask_extension: optional(Schema.Boolean),
  /** Key with which the person takes the call, such as `1`; absent: whoever answers has it. Only for `warm`. */
  accept_key: optional(Schema.String.pipe(
    Schema.pattern(/^[0-9*#]$/, {
      message: () => "Must be one key: 0 to 9, * or #",
      arbitrary: () => (fc) => fc.constantFrom("1", "#")
    })
  )),
  /** Seconds for which the target rings, 5 to 120; default 30. */
  ring_seconds: Schema.optionalWith(Schema.Number.pipe(Schema.between(5, 120)), { exact: true, default: () => 30 }),
  /** Template of what the caller hears meanwhile; absent: "Please hold, I am connecting you." */
  hold_message: optional(Localized),
  /** Template of what the person is told first; absent: what the model writes. Only for `warm`. */
  briefing: optional(Localized)
}).pipe(
  Schema.filter(({ accept_key, briefing, kind }) =>
    kind === "warm" ? [] : [
      ...(accept_key === undefined
        ? []
        : [{ path: ["accept_key"], message: "is asked for in warm transfers only: add \"kind\": \"warm\"" }]),
      ...(briefing === undefined
        ? []
        : [{ path: ["briefing"], message: "is told in warm transfers only: add \"kind\": \"warm\"" }])
    ]
  )
)
export type TransferTarget = typeof TransferTarget.Type
