import {
  type DigestServer,
  type Headers,
  makeDigestServer,
  type RequestDecision,
  type SipAddress,
  type SipRequest
} from "@trunkline/sip"
import { Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { type Refusal, refusalResponse } from "../outcomes/Refusals.js"
import { plainAddress } from "../transport/LocalAddresses.js"
import { makeSourceLimit } from "./SourceLimit.js"
import type { TrunkLine } from "./TrunkLine.js"

/** Decides about requests outside of calls at one local address. */
export interface AdmissionControl {
  readonly admit: (request: SipRequest, source: SipAddress) => RequestDecision
  /** Lines whose peers an admitted call comes from. */
  readonly linesOf: (request: SipRequest, source: SipAddress) => ReadonlyArray<TrunkLine>
}

/** Headers of a refusal. */
export const refusalHeaders = (refusal: string): Headers => {
  const { retryAfter } = refusalResponse(refusal)
  return retryAfter === null ? [] : [["retry-after", String(retryAfter)]]
}

const refuse = (refusal: Refusal): RequestDecision => ({
  _tag: "Respond",
  status: refusalResponse(refusal).status,
  headers: refusalHeaders(refusal)
})

const serverOf = ({ settings: { inbound, options } }: TrunkLine): DigestServer | null => {
  if (inbound?.digest == null) return null
  const passwords = new Map(inbound.digest.users.map(({ password, user }) => [user, password]))
  return makeDigestServer({
    realm: inbound.digest.realm,
    key: randomBytes(32),
    algorithms: options.inbound?.digest?.algorithms ?? ["SHA-256", "MD5"],
    passwordOf: (user) => {
      const password = passwords.get(user)
      return password === undefined ? null : Redacted.value(password)
    }
  })
}

/**
 * Makes the admission control of a local address: a call needs an allowed address or the password of a user, and an address may
 * not begin more calls than its lines allow. `now` is in epoch milliseconds.
 */
export const makeAdmissionControl = (lines: ReadonlyArray<TrunkLine>, now: () => number): AdmissionControl => {
  const open = lines.filter(({ settings }) => settings.inbound !== null)
  const limit = makeSourceLimit()
  const perSecond = Math.max(0, ...open.map(({ settings }) => settings.options.inbound?.invites_per_second ?? 0))
  const servers = open.flatMap((line) => {
    const server = serverOf(line)
    return server === null ? [] : [{ line, server }]
  })
  const linesByRequest = new WeakMap<SipRequest, ReadonlyArray<TrunkLine>>()

  const linesOfHost = (host: string) => open.filter(({ settings }) => settings.inbound?.isAllowed(host) === true)

  const authenticate = (request: SipRequest): RequestDecision => {
    const verdicts = servers.map(({ line, server }) => ({ line, server, verdict: server.verify(request, now()) }))
    const verifiedLines = verdicts.filter(({ verdict }) => verdict._tag === "Verified").map(({ line }) => line)
    if (verifiedLines.length > 0) {
      linesByRequest.set(request, verifiedLines)
      return { _tag: "Accept" }
    }
    const isStale = verdicts.some(({ verdict }) => verdict._tag === "Denied" && verdict.reason === "stale")
    const salt = randomBytes(12).toString("hex")
    return {
      _tag: "Respond",
      status: 401,
      headers: servers.flatMap(({ server }) =>
        server.challenge({ now: now(), salt, stale: isStale }).map((value) => ["www-authenticate", value] as const)
      )
    }
  }

  return {
    admit: (request, source) => {
      const host = plainAddress(source.host)
      const isKnown = linesOfHost(host).length > 0
      if (request.method !== "INVITE") return isKnown || servers.length > 0 ? { _tag: "Accept" } : { _tag: "Drop" }
      const verdict = limit.note(host, perSecond, now())
      if (verdict === "flood") return { _tag: "Drop" }
      if (verdict === "beyond") return refuse("too_many")
      if (isKnown) return { _tag: "Accept" }
      return servers.length > 0 ? authenticate(request) : refuse("forbidden")
    },
    linesOf: (request, source) => {
      const allowedLines = linesOfHost(plainAddress(source.host))
      return allowedLines.length > 0 ? allowedLines : linesByRequest.get(request) ?? []
    }
  }
}
