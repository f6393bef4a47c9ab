import type { PhoneNumber } from "@trunkline/kernel"
import { isTransportProtocol, parseUri, type SipTarget, type TransportProtocol } from "@trunkline/sip"
import { type Connection, decodeOptions } from "@trunkline/telephony"
import { Either, Redacted } from "effect"
import { BlockList } from "node:net"
import type { OutcomeName, OutcomeTable } from "../outcomes/CallOutcomes.js"
import { familyOf } from "../transport/LocalAddresses.js"
import { readTlsFiles, type TlsTexts } from "../transport/TlsFiles.js"
import { ConnectionOptions, type SrtpMode } from "./ConnectionOptions.js"
import type { TemplateValues } from "./NumberTemplates.js"

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A user and its secret. */
interface User {
  readonly user: string
  readonly password: Redacted.Redacted
}

/** Sources whose calls are taken, and numbers for which. */
export interface InboundSettings {
  /** True for addresses whose calls are taken without a password. */
  readonly isAllowed: (address: string) => boolean
  readonly digest: { readonly realm: string; readonly users: ReadonlyArray<User> } | null
  readonly aliases: ReadonlyMap<string, PhoneNumber>
}

/** Decoded options with their secrets. */
export interface ConnectionSettings {
  readonly options: ConnectionOptions
  readonly server: SipTarget
  readonly registrar: SipTarget
  /** Null where requests go to the server. */
  readonly outboundProxy: SipTarget | null
  readonly credentials: User | null
  /** Values with which the templates of numbers are filled. */
  readonly values: TemplateValues
  readonly inbound: InboundSettings | null
  /** Certificates for TLS; null for a line that neither sends nor takes calls over it. */
  readonly tls: TlsTexts | null
  readonly srtp: SrtpMode
  /** Outcomes of this trunk, which win over those that hold for all. */
  readonly outcomes: OutcomeTable
}

const decode = decodeOptions(ConnectionOptions)

const targetOf = (text: string, transport: TransportProtocol | undefined): SipTarget => {
  const uri = Either.getOrThrow(parseUri(text))
  if (uri._tag !== "SipUri") throw new Error("Not a SIP URI")
  const transportParam = uri.params.find(([name]) => name.toLowerCase() === "transport")?.[1]?.toLowerCase()
  const protocol = uri.scheme === "sips"
    ? "tls"
    : transportParam !== undefined && isTransportProtocol(transportParam)
    ? transportParam
    : transport
  return {
    host: uri.host,
    ...(uri.port !== null && { port: uri.port }),
    ...(protocol !== undefined && { protocol })
  }
}

const byNumber = (names: Readonly<Record<string, OutcomeName>>): ReadonlyMap<number, OutcomeName> =>
  new Map(Object.entries(names).map(([number, name]) => [Number(number), name]))

const hostText = ({ host, port }: SipTarget): string =>
  `${host.includes(":") ? `[${host}]` : host}${port === undefined ? "" : `:${port}`}`

const inboundOf = (
  { aliases, allow, digest }: NonNullable<ConnectionOptions["inbound"]>,
  userOf: (user: string, variable: string) => User
): InboundSettings => {
  const networks = new BlockList()
  for (const network of allow) {
    const [address = "", bits] = network.split("/")
    if (bits === undefined) networks.addAddress(address, familyOf(address))
    else networks.addSubnet(address, Number(bits), familyOf(address))
  }
  return {
    isAllowed: (address) => networks.check(address, familyOf(address)),
    digest: digest === undefined ? null : {
      realm: digest.realm,
      users: digest.users.map(({ password_env, user }) => userOf(user, password_env))
    },
    aliases: new Map(Object.entries(aliases))
  }
}

const tlsOf = (tls: Partial<NonNullable<ConnectionOptions["tls"]>>, environment: Environment) =>
  readTlsFiles(tls, tls.key_password_env === undefined ? undefined : environment[tls.key_password_env])

/** Variables that the options name, with their places. */
const variablesOf = ({ credentials, inbound, tls }: ConnectionOptions): ReadonlyArray<readonly [string, string]> => [
  ...(tls?.key_password_env === undefined ? [] : [["options.tls.key_password_env", tls.key_password_env] as const]),
  ...(credentials === undefined ? [] : [["options.credentials.password_env", credentials.password_env] as const]),
  ...(inbound?.digest?.users ?? []).map(({ password_env }, index) =>
    [`options.inbound.digest.users.${index}.password_env`, password_env] as const
  )
]

/** Decodes the options of a connection; fails with one line per problem, without any values. */
export const connectionSettings = (
  connection: Pick<Connection, "options">,
  environment: Environment
): Either.Either<ConnectionSettings, ReadonlyArray<string>> =>
  decode(connection).pipe(
    Either.flatMap((read) => {
      const missing = variablesOf(read).flatMap(([place, variable]) =>
        environment[variable] ? [] : [`${place}: The environment variable ${variable} is not set`]
      )
      if (missing.length > 0) return Either.left(missing)
      const userOf = (user: string, variable: string): User => ({
        user,
        password: Redacted.make(environment[variable] ?? "")
      })
      const server = targetOf(read.server, read.transport)
      const { credentials, inbound, outbound_proxy, register } = read
      const registrar = register?.registrar === undefined ? server : targetOf(register.registrar, read.transport)
      const outboundProxy = outbound_proxy === undefined ? null : targetOf(outbound_proxy, read.transport)
      const isSecure = [server, registrar, outboundProxy].some((target) => target?.protocol === "tls")
      const tls = isSecure || read.tls !== undefined ? tlsOf(read.tls ?? {}, environment) : Either.right(null)
      return Either.mapBoth(tls, {
        onLeft: (problem) => [problem],
        onRight: (tls): ConnectionSettings => ({
          options: read,
          server,
          registrar,
          outboundProxy,
          tls,
          srtp: read.srtp ?? (server.protocol === "tls" ? "preferred" : "off"),
          credentials: credentials === undefined ? null : userOf(credentials.user, credentials.password_env),
          values: { server: hostText(server), domain: read.domain ?? hostText({ host: server.host }) },
          inbound: inbound === undefined ? null : inboundOf(inbound, userOf),
          outcomes: { causes: byNumber(read.outcomes.causes), statuses: byNumber(read.outcomes.statuses) }
        })
      })
    })
  )
