import { Either, Schema } from "effect"
import { commonOptions, countryOption, machineOption, settingsReader } from "../../settings/ConnectionOptions.js"
import type { Dialect, DialectLine } from "../Dialect.js"
import { isKeyed, withKey } from "../KeyedAddress.js"
import { textAt } from "../StreamFormat.js"
import { xmlReply } from "../Xml.js"
import { plivoCalls, plivoStream, readPlivo, readPlivoLookup, streamXml } from "./PlivoCalls.js"

const provider = "vobiz"

const readSettings = settingsReader(
  Schema.Struct({
    ...commonOptions,
    ...machineOption,
    ...countryOption,
    auth_id: Schema.String.pipe(Schema.pattern(/^[\w-]{1,64}$/)),
    /** Environment variable with the account's auth token. */
    auth_token_env: Schema.NonEmptyString,
    /** Environment variable with a secret of yours: the field `key` of the addresses in the account. */
    events_key_env: Schema.NonEmptyString
  }),
  ["auth_token", "events_key"]
)

/**
 * Vobiz, whose calls and streams are like Plivo's. Sources: https://docs.vobiz.ai/call/make-call, https://docs.vobiz.ai/xml/stream
 * and https://docs.vobiz.ai/xml/request. No signature of its requests is documented: those about our own calls are proven by
 * the token of their address, and those of inbound calls by the key in the address that the account has.
 */
export const vobiz: Dialect = {
  provider,
  dedupe: { _tag: "None" },
  lineOf: (connection, environment) =>
    Either.map(readSettings(connection, environment), (settings): DialectLine => {
      const { auth_id, country_code, machine_detection } = settings
      const authToken = settings.secret("auth_token")
      const eventsKey = settings.secret("events_key")
      const { create, end, lookUp } = plivoCalls(`/api/v1/Account/${auth_id}`)
      return {
        settings,
        apiUrl: settings.api_url ?? "https://api.vobiz.ai",
        tokenSecret: authToken,
        authorization: { "x-auth-id": auth_id, "x-auth-token": authToken },
        create: (call) =>
          create({ ...call, eventsUrl: (about) => withKey(eventsKey, call.eventsUrl(about)) }, {
            detectsMachines: machine_detection !== "off"
          }),
        readCallId: (json) => textAt(json, "request_uuid") || textAt(json, "call_uuid") || null,
        end,
        lookUp,
        readLookup: (json) => readPlivoLookup(provider, json),
        isAuthentic: ({ address }) => isKeyed(eventsKey, address),
        read: readPlivo(provider, country_code),
        connect: (_call, url) => ({ reply: xmlReply(streamXml(url)) }),
        reject: (_call, reason) => ({
          reply: xmlReply(`<Hangup reason="${reason === "no_capacity" ? "busy" : "rejected"}"/>`)
        }),
        stream: plivoStream
      }
    })
}
