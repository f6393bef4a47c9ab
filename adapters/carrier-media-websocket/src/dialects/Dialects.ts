import type { Connection } from "@trunkline/telephony"
import { Either } from "effect"
import type { Environment } from "../settings/ConnectionOptions.js"
import type { Dialect } from "./Dialect.js"
import { exotel } from "./exotel/Exotel.js"
import { plivo } from "./plivo/Plivo.js"
import { vobiz } from "./plivo/Vobiz.js"
import { smartflo } from "./smartflo/Smartflo.js"
import { telnyx } from "./telnyx/Telnyx.js"
import { telnyxRelay } from "./telnyx/TelnyxRelay.js"
import { twilio } from "./twilio/Twilio.js"
import { twilioRelay } from "./twilio/TwilioRelay.js"

/** The dialects of all providers. */
export const dialects: ReadonlyArray<Dialect> = [
  twilio,
  twilioRelay,
  plivo,
  vobiz,
  telnyx,
  telnyxRelay,
  exotel,
  smartflo
]

/** Checks the options of a line of one of these providers; on the left, one line for each mistake, without values. */
export const connectionSettings = (
  connection: Pick<Connection, "options" | "provider">,
  environment: Environment
): Either.Either<unknown, ReadonlyArray<string>> => {
  const dialect = dialects.find(({ provider }) => provider === connection.provider)
  return dialect === undefined
    ? Either.left([`provider: there is no provider ${connection.provider}`])
    : dialect.lineOf(connection, environment)
}
