import { Callee, SimulatorRule } from "@trunkline/telephony"
import { Schema } from "effect"
import { checked } from "./OptionShapes.js"

/** Mail server of scheduled reports. Needs the package `nodemailer`. */
export const MailOptions = Schema.Struct({
  /** Host name of the mail server. */
  host: Schema.String,
  /** 587 by default, or 465 for `implicit` TLS. */
  port: Schema.optional(Schema.Number),
  tls: Schema.optional(Schema.Literal("starttls", "implicit")),
  user: Schema.optional(Schema.String),
  password: Schema.optional(Schema.String),
  from: Schema.Struct({ address: Schema.String, name: Schema.optional(Schema.String) })
})

/** Behaviour of people on the simulated phone network. */
export const SimulatorOptions = Schema.Struct({
  /** Callees by the end of their number; the first match wins. */
  rules: Schema.optional(Schema.Array(SimulatorRule)),
  /** Callee of every other number. */
  default: Schema.optional(Callee),
  /** Business seconds per real second, 1 by default. Only for engines whose lines are all simulated. */
  speed: Schema.optional(
    checked(Schema.Number, (speed) => Number.isFinite(speed) && speed > 0, "must be a number above 0")
  )
})

/** Reading of requests for responses. */
export const ResponsesOptions = Schema.Struct({
  /**
   * Meaning of `text` without `format`: an invalid body, or plain text for clients such as LangChain that send `text: {}`
   * with every request. `refused` by default.
   */
  textWithoutFormat: Schema.optional(
    checked(Schema.Literal("refused", "plain"), () => true, "must be refused or plain")
  )
})
