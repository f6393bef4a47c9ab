import { Either, Schema } from "effect"
import { commonOptions, countryOption, machineOption, settingsReader } from "../../settings/ConnectionOptions.js"
import { basicAuth, type Dialect, type DialectLine } from "../Dialect.js"
import { textAt } from "../StreamFormat.js"
import { xmlReply } from "../Xml.js"
import { plivoCalls, plivoStream, readPlivo, readPlivoLookup, streamXml } from "./PlivoCalls.js"
import { isPlivoSignature } from "./PlivoSignature.js"

const provider = "plivo"

const readSettings = settingsReader(
  Schema.Struct({
    ...commonOptions,
    ...machineOption,
    ...countryOption,
    auth_id: Schema.String.pipe(Schema.pattern(/^[\w-]{1,64}$/)),
    /** Environment variable with the account's auth token, which also proves requests. */
    auth_token_env: Schema.NonEmptyString
  }),
  ["auth_token"]
)

/**
 * Plivo with audio streams. Sources: https://www.plivo.com/docs/voice/api/call and
 * https://www.plivo.com/docs/voice/xml/audiostream. It has no idempotency keys.
 */
export const plivo: Dialect = {
  provider,
  dedupe: { _tag: "None" },
  lineOf: (connection, environment) =>
    Either.map(readSettings(connection, environment), (settings): DialectLine => {
      const { auth_id, country_code, machine_detection } = settings
      const authToken = settings.secret("auth_token")
      const base = `/v1/Account/${auth_id}`
      const { create, end, lookUp } = plivoCalls(base)
      return {
        settings,
        apiUrl: settings.api_url ?? "https://api.plivo.com",
        tokenSecret: authToken,
        authorization: basicAuth(auth_id, authToken),
        create: (call) => create(call, { detectsMachines: machine_detection !== "off" }),
        readCallId: (json) => textAt(json, "request_uuid") || null,
        end,
        lookUp,
        readLookup: (json) => readPlivoLookup(provider, json),
        isAuthentic: (request) => isPlivoSignature(authToken, request),
        read: readPlivo(provider, country_code),
        connect: (_call, url) => ({ reply: xmlReply(streamXml(url)) }),
        reject: (_call, reason) => ({
          reply: xmlReply(`<Hangup reason="${reason === "no_capacity" ? "busy" : "rejected"}"/>`)
        }),
        stream: plivoStream
      }
    })
}
