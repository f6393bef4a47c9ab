import { isPhoneCountry, PhoneNumber } from "@trunkline/kernel"
import { isIpAddress, parseUri } from "@trunkline/sip"
import { Either, Schema } from "effect"
import { outcomeNames } from "../outcomes/CallOutcomes.js"
import { headerFault, uriFault } from "./NumberTemplates.js"

const withDefault = <A, I>(schema: Schema.Schema<A, I>, value: () => A) =>
  Schema.optionalWith(schema, { exact: true, default: value })

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const number = (from: number, to: number) => Schema.Number.pipe(Schema.between(from, to))

const port = (from: number) => Schema.Int.pipe(Schema.between(from, 65_535))

const isServer = (text: string): boolean => {
  const uri = parseUri(text)
  if (Either.isLeft(uri) || uri.right._tag !== "SipUri") return false
  const { headers, params, scheme, user } = uri.right
  const [, transport = scheme === "sips" ? "tls" : "udp"] =
    params.find(([name]) => name.toLowerCase() === "transport") ?? []
  const allowedPattern = scheme === "sips" ? /^(?:tcp|tls)$/i : /^(?:udp|tcp|tls)$/i
  return user === null && headers.length === 0 && allowedPattern.test(transport ?? "")
}

/** A server, such as `sip:trunk.example`, `sips:trunk.example` or `sip:10.0.0.7:5080;transport=tcp`. */
const ServerUri = Schema.String.pipe(
  Schema.filter(isServer, {
    message: () => "Must be the SIP URI of a server over UDP, TCP or TLS, such as sip:trunk.example;transport=tls"
  })
)

const IpAddress = Schema.String.pipe(
  Schema.filter(isIpAddress, { message: () => "Must be an IP address, such as 192.0.2.1 or 2001:db8::1" })
)

const isNetwork = (text: string): boolean => {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  return isIpAddress(address) && Number(bits ?? 0) <= (address.includes(":") ? 128 : 32)
}

/** An address or a network in CIDR notation. */
const Network = Schema.String.pipe(
  Schema.filter(isNetwork, { message: () => "Must be an IP address or a network, such as 203.0.113.0/24" })
)

const UriTemplate = (needsNumber: boolean) =>
  Schema.String.pipe(Schema.filter((text) => uriFault(text, needsNumber) ?? undefined))

/** Headers that the user agent writes itself. */
const ownHeaders = [
  "via",
  "from",
  "to",
  "call-id",
  "cseq",
  "contact",
  "max-forwards",
  "route",
  "record-route",
  "content-length",
  "content-type",
  "authorization",
  "proxy-authorization",
  "supported",
  "require",
  "session-expires",
  "min-se"
]

const headerName = /^[\w.!%*+`'~-]+$/

/** Fault of the name of a header; undefined for one that a trunk may ask for. */
const headerNameFault = (name: string): string | undefined =>
  ownHeaders.includes(name.toLowerCase())
    ? "This header is set by the SIP stack itself: leave it out"
    : headerName.test(name)
    ? undefined
    : "Must be the name of a header, such as X-Account"

const HeaderTemplate = Schema.String.pipe(Schema.filter((text) => headerFault(text) ?? undefined))

const Headers = Schema.Record({ key: Schema.String, value: HeaderTemplate }).pipe(
  Schema.filter((headers) =>
    Object.keys(headers).flatMap((name) => {
      const message = headerNameFault(name)
      return message === undefined ? [] : [{ path: [name], message }]
    })
  )
)

const Digest = Schema.Struct({
  /** Shown to users as the name of what they log in to. */
  realm: Schema.String.pipe(
    Schema.pattern(/^[^"\\\r\n]+$/, { message: () => "Must be a name without quotes and backslashes" })
  ),
  users: Schema.NonEmptyArray(Schema.Struct({ user: Schema.NonEmptyString, password_env: Schema.NonEmptyString })),
  /** Offered to callers in this order. Some old phones take only the first, and know only MD5. */
  algorithms: withDefault(
    Schema.NonEmptyArray(Schema.Literal("SHA-512-256", "SHA-256", "MD5")),
    () => ["SHA-256", "MD5"] as const
  )
})

/** Outcomes by whole numbers of a range. */
const outcomesBy = (from: number, to: number) => {
  const key = Schema.String.pipe(
    Schema.filter((text) => /^\d{1,3}$/.test(text) && Number(text) >= from && Number(text) <= to)
  )
  return withDefault(Schema.Record({ key, value: Schema.Literal(...outcomeNames) }), () => ({}))
}

const Local = Schema.Struct({
  address: withDefault(IpAddress, () => "0.0.0.0"),
  port: withDefault(port(0), () => 5060),
  /** Port of TLS; by default the one after `port`. */
  tls_port: optional(port(0))
})

const Tls = Schema.Struct({
  /** PEM file with the certificates of the authorities that are trusted; by default those that Node.js trusts. */
  ca_file: optional(Schema.NonEmptyString),
  /** PEM files of the own certificate, with its chain, and of its key. Calls over TLS come in only with them. */
  cert_file: optional(Schema.NonEmptyString),
  key_file: optional(Schema.NonEmptyString),
  /** Environment variable with the passphrase of the key. */
  key_password_env: optional(Schema.NonEmptyString),
  /** Takes connections only of clients whose certificate one of the authorities has signed. */
  require_client_certificate: withDefault(Schema.Boolean, () => false),
  /** Name that the certificate of the server may have beside the one of its URI. */
  server_name: optional(Schema.NonEmptyString)
}).pipe(
  Schema.filter(({ cert_file, key_file, key_password_env, require_client_certificate }) => {
    if (cert_file !== undefined && key_file === undefined) {
      return { path: ["key_file"], message: "Is needed with cert_file" }
    }
    if (cert_file === undefined && key_file !== undefined) {
      return { path: ["cert_file"], message: "Is needed with key_file" }
    }
    if (key_file !== undefined) return undefined
    if (key_password_env !== undefined) return { path: ["key_file"], message: "Is needed with key_password_env" }
    return require_client_certificate
      ? {
        path: ["cert_file"],
        message: "Is needed with require_client_certificate: without it, no calls come in over TLS"
      }
      : undefined
  })
)

const Inbound = Schema.Struct({
  /** Addresses and networks whose calls are taken without a password. */
  allow: withDefault(Schema.Array(Network), () => []),
  /** Users whose calls are taken from anywhere with their password. */
  digest: optional(Digest),
  /** Numbers by the names or extensions that callers dial, such as `{ "100": "+911140000001" }`. */
  aliases: withDefault(Schema.Record({ key: Schema.NonEmptyString, value: PhoneNumber }), () => ({})),
  /** Country to which numbers without a country code belong, such as `IN`. */
  country: optional(Schema.String.pipe(
    Schema.filter(isPhoneCountry, { message: () => "Must be a country such as IN" })
  )),
  /** Calls that one address may begin in a second. */
  invites_per_second: withDefault(number(0.1, 10_000), () => 10)
}).pipe(
  Schema.filter(({ allow, digest }) =>
    allow.length > 0 || digest !== undefined
      ? undefined
      : { path: [], message: "Needs allow or digest: calls of anybody would be taken without one" }
  )
)

/** Encryption of sound: needed, taken where the other side has it too, or none. */
const SrtpMode = Schema.Literal("required", "preferred", "off")
export type SrtpMode = typeof SrtpMode.Type

/** Parts of the sound before an answer that are heard: words and tones, tones alone, or none. */
const EarlyMedia = Schema.Literal("words", "tones", "off")
export type EarlyMedia = typeof EarlyMedia.Type

const Codecs = Schema.NonEmptyArray(Schema.Literal("PCMU", "PCMA", "G722")).pipe(
  Schema.filter((names) => new Set(names).size === names.length || "Must name each codec once")
)

/** `options` of a connection with the provider `sip` (docs/sip.md). */
export const ConnectionOptions = Schema.Struct({
  /** Trunk or PBX to which calls are sent. */
  server: ServerUri,
  /** Proxy through which all requests go; by default they go to the server. */
  outbound_proxy: optional(ServerUri),
  /** Transport where a URI names none; by default SRV records decide, or else UDP. */
  transport: optional(Schema.Literal("udp", "tcp", "tls")),
  local: withDefault(Local, (): typeof Local.Type => ({ address: "0.0.0.0", port: 5060 })),
  /** Certificates for TLS; without it, Node.js's authorities are trusted and no calls come in over TLS. */
  tls: optional(Tls),
  /** Public address of this machine behind a NAT. */
  advertised_address: optional(IpAddress),
  credentials: optional(Schema.Struct({ user: Schema.NonEmptyString, password_env: Schema.NonEmptyString })),
  /** Domain of the addresses of callers; by default the host of the server. */
  domain: optional(Schema.NonEmptyString),
  /** URIs of dialled numbers and of callers; that of callers may be the same for all, such as an extension. */
  to_uri: withDefault(UriTemplate(true), () => "sip:{e164}@{server}"),
  from_uri: withDefault(UriTemplate(false), () => "sip:{e164}@{domain}"),
  /** Headers of each call, such as `{ "P-Asserted-Identity": "<sip:{e164}@{domain}>" }`; the number is the caller's. */
  headers: withDefault(Headers, () => ({})),
  register: optional(Schema.Struct({
    /** By default the server. */
    registrar: optional(ServerUri),
    expires_seconds: withDefault(number(60, 86_400), () => 3_600),
    /** Longest time between keep-alives over UDP (RFC 5626, section 4.4.2); 0 sends none. */
    keep_alive_seconds: withDefault(number(0, 3_600), () => 29),
    /** Time between OPTIONS, by which a server that no longer answers is found; 0 sends none. */
    ping_seconds: withDefault(number(0, 3_600), () => 60)
  })),
  inbound: optional(Inbound),
  /** Outcomes of this trunk, by final response and by Q.850 cause, such as `{ "statuses": { "480": "busy" } }`. */
  outcomes: withDefault(
    Schema.Struct({ statuses: outcomesBy(300, 699), causes: outcomesBy(1, 127) }),
    () => ({ statuses: {}, causes: {} })
  ),
  /** Encryption of sound by keys in session descriptions (RFC 4568); by default preferred over TLS, and off otherwise. */
  srtp: optional(SrtpMode),
  /** Sound that is heard before the answer, where the trunk gives no cause: words, which cost a transcription, and tones. */
  early_media: withDefault(EarlyMedia, () => "words" as const),
  /** Codecs, best first. `G722` has a wide band, and its calls have sound at 16,000 Hz; by default mu-law, then A-law. */
  codecs: withDefault(Codecs, () => ["PCMU", "PCMA"] as const),
  rtp_ports: withDefault(
    Schema.Struct({ from: port(1_024), to: port(1_025) }).pipe(
      Schema.filter(({ from, to }) => to > from ? undefined : { path: ["to"], message: "Must be above from" })
    ),
    () => ({ from: 16_384, to: 32_767 })
  ),
  /** Takes sound of any address that sends first, as a side behind a NAT does. */
  nat_latch: withDefault(Schema.Boolean, () => false),
  /** Time after which a call without a refresh ends (RFC 4028). */
  session_seconds: withDefault(number(90, 86_400), () => 1_800),
  /** Delay of the sound that leaves, as the 99th percentile, from which no further calls are taken or placed. */
  max_lateness_millis: withDefault(number(1, 10_000), () => 15),
  /** Transfers that the other side is asked for by REFER; others go through this process. `attended` needs Replaces (RFC 3891). */
  refer: withDefault(Schema.Literal("none", "blind", "attended"), () => "blind" as const),
  /** Longest time to ring, where the call itself may ring longer. */
  ring_seconds: withDefault(number(1, 300), () => 180)
}).pipe(
  Schema.filter(({ credentials, inbound, register }) => {
    if (register === undefined) return undefined
    if (credentials === undefined) return { path: ["credentials"], message: "Is needed to register" }
    if (inbound !== undefined) return undefined
    return { path: ["inbound"], message: "Is needed to register: it says whose calls are taken" }
  })
)
export type ConnectionOptions = typeof ConnectionOptions.Type
