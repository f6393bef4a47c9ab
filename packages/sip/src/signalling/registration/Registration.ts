import type { Duration, Effect, Stream } from "effect"
import type { DigestCredentials } from "../digest/DigestClient.js"
import type { SipTarget } from "../transport/SipTransport.js"

/** A registration to keep. */
export interface RegistrationOptions {
  /** URI of the registrar's domain, such as `sip:example.org`. */
  readonly registrar: string
  /** Address of record, such as `sip:1001@example.org`. */
  readonly address: string
  /** Where the REGISTER is sent, whatever its URI says; default: the registrar. */
  readonly nextHop?: SipTarget
  /** User part of the Contact header; default: that of the address. */
  readonly contactUser?: string
  readonly credentials?: DigestCredentials
  /** Requested lifetime; the registrar may shorten it, or ask for more (423). Default 1 hour. */
  readonly expires?: Duration.DurationInput
  /**
   * Longest time between keep-alives over UDP, empty lines that keep the binding of a NAT open; each interval is 80 to 100 %
   * of it (RFC 5626, section 4.4.1), which is 29 seconds for most NATs (section 4.4.2). Default: none. A transport sends
   * those of TCP itself.
   */
  readonly keepAlive?: Duration.DurationInput
}

/** State of a registration. */
export type RegistrationState =
  /** No response yet. */
  | { readonly _tag: "Registering" }
  /** Until a time of Effect's Clock, in milliseconds since 1970. It is refreshed at 80 % of the lifetime. */
  | { readonly _tag: "Registered"; readonly until: number }
  /** It is tried again after a pause: 1 s, doubled with every failure up to a minute, at least Retry-After. */
  | {
    readonly _tag: "Failed"
    readonly kind: "refused" | "timeout" | "transport" | "unresolved"
    /** Status of the final response; null without one. */
    readonly status: number | null
    /** Why it could not be sent, safe for logs; absent where it is not known. */
    readonly reason?: string
  }

/** A registration that is kept until the scope closes, which removes it. A broken connection to the registrar renews it,
 * every ten seconds at most. */
export interface Registration {
  readonly state: Effect.Effect<RegistrationState>
  /**
   * Registers again at once, for a doubt that the registrar still knows us. Does nothing where it has been sure for less than
   * ten seconds, or is tried anyway.
   */
  readonly renew: Effect.Effect<void>
  /** The present state and all further ones. */
  readonly changes: Stream.Stream<RegistrationState>
}
