import { Data, Either } from "effect"
import { quoteText } from "../headers/Params.js"
import { type Headers, headers, type SipResponse } from "../message/Message.js"
import { parseAuthParams, wordsIn } from "./AuthParams.js"
import { algorithmNamed, type DigestAlgorithm, digestResponse, rankOf } from "./DigestResponse.js"

/** Challenge of a server or a proxy (RFC 7616, section 3.3). */
export interface DigestChallenge {
  readonly realm: string
  readonly nonce: string
  /** Null if the challenge has none. */
  readonly opaque: string | null
  /** Null if the challenge names none, which means MD5. */
  readonly algorithm: DigestAlgorithm | null
  readonly qop: "auth" | "auth-int" | null
  /** True if only the nonce was too old. */
  readonly stale: boolean
}

/** Name and password of a client. */
export interface DigestCredentials {
  readonly username: string
  readonly password: string
}

/** Parts of a request that its digest covers. */
export interface DigestRequest {
  readonly method: string
  /** The Request-URI. */
  readonly uri: string
  readonly body: Uint8Array
}

/** A challenge that was answered. */
interface DigestSession {
  /** `authorization` for servers, `proxy-authorization` for proxies. */
  readonly header: "authorization" | "proxy-authorization"
  readonly challenge: DigestChallenge
  readonly cnonce: string
  /** Number of requests that were sent with the nonce. */
  readonly nonceCount: number
  /** Number of challenges that were answered for the current request. */
  readonly answers: number
}

/** Challenges that a client has answered, one for each realm. It is empty at first. */
export type DigestState = ReadonlyArray<DigestSession>

/** Credentials for a request. */
export interface PresentedCredentials {
  /** Header fields to add to the request. A CANCEL or an ACK repeats those of its INVITE. */
  readonly headers: Headers
  /** State for the next request. */
  readonly state: DigestState
}

/** Challenge that is not answered. */
export class ChallengeRefused extends Data.TaggedError("ChallengeRefused")<{
  /**
   * `rejected`: the credentials were already sent and are wrong; `unsupported`: there is no digest challenge with a known
   * algorithm.
   */
  readonly reason: "rejected" | "unsupported"
}> {}

/** Stale nonces that are replaced for one request before the client gives up. */
const maxStale = 2

const parseChallenge = (value: string): DigestChallenge | null => {
  const result = parseAuthParams(value)
  const realm = result?.params.get("realm")
  const nonce = result?.params.get("nonce")
  if (result?.scheme !== "digest" || realm === undefined || nonce === undefined) return null
  const { params } = result
  const name = params.get("algorithm")
  const algorithm = name === undefined ? null : algorithmNamed(name)
  const offeredText = params.get("qop")
  const qops = wordsIn(offeredText ?? "")
  const qop = qops.includes("auth") ? "auth" : qops.includes("auth-int") ? "auth-int" : null
  if (name !== undefined && algorithm === null || offeredText !== undefined && qop === null) return null
  return {
    realm,
    nonce,
    opaque: params.get("opaque") ?? null,
    algorithm,
    qop,
    stale: params.get("stale")?.toLowerCase() === "true"
  }
}

/** Strongest challenge of a 401 or 407 that can be answered; null if there is none. */
const strongestChallenge = (response: SipResponse, name: string): DigestChallenge | null =>
  headers(response, name).flatMap((value) => parseChallenge(value) ?? [])
    .toSorted((left, right) => rankOf(left.algorithm ?? "MD5") - rankOf(right.algorithm ?? "MD5"))[0] ?? null

/** Text as it stands within quotes: the digest covers its escapes (RFC 7616, section 3.4). */
const withinQuotes = (text: string): string => quoteText(text).slice(1, -1)

const credentialsOf = (
  { challenge, cnonce, nonceCount }: DigestSession,
  { body, method, uri }: DigestRequest,
  { password, username }: DigestCredentials
): string => {
  const { algorithm, nonce, opaque, qop, realm } = challenge
  const name = withinQuotes(username)
  const count = nonceCount.toString(16).padStart(8, "0")
  const response = digestResponse({
    algorithm: algorithm ?? "MD5",
    username: name,
    realm,
    password,
    nonce,
    method,
    uri,
    qop,
    nonceCount: count,
    cnonce,
    body
  })
  const isSession = algorithm?.endsWith("-sess") === true
  return [
    `Digest username="${name}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${uri}"`,
    `response="${response}"`,
    ...(algorithm === null ? [] : [`algorithm=${algorithm}`]),
    ...(qop === null && !isSession ? [] : [`cnonce="${cnonce}"`]),
    ...(qop === null ? [] : [`qop=${qop}`, `nc=${count}`]),
    ...(opaque === null ? [] : [`opaque="${opaque}"`])
  ].join(", ")
}

const present = (
  state: DigestState,
  request: DigestRequest,
  credentials: DigestCredentials
): PresentedCredentials => {
  const next = state.map((session) => ({ ...session, nonceCount: session.nonceCount + 1 }))
  return {
    headers: next.map((session) => [session.header, credentialsOf(session, request, credentials)] as const),
    state: next
  }
}

/**
 * Credentials for a new request, which answer the challenges of earlier ones without waiting for another (RFC 3261, section
 * 22.2). There are none while the state is empty.
 */
export const presentCredentials = (
  state: DigestState,
  request: DigestRequest,
  credentials: DigestCredentials
): PresentedCredentials => present(state.map((session) => ({ ...session, answers: 0 })), request, credentials)

/**
 * Answers the strongest challenge of a 401 or 407 (RFC 3261, section 22; RFC 8760). The state is that with which the refused
 * request was sent. A challenge of a realm is answered once for a request, and twice more while the nonce is stale; then it
 * fails with `rejected`.
 *
 * `cnonce` is a random text without quotes, at least 8 characters. The request is sent again with the same Call-ID and
 * From, a new branch, and a CSeq that is higher by one.
 */
export const answerChallenge = (
  response: SipResponse,
  options: {
    readonly state: DigestState
    readonly request: DigestRequest
    readonly credentials: DigestCredentials
    readonly cnonce: string
  }
): Either.Either<PresentedCredentials, ChallengeRefused> => {
  const { cnonce, credentials, request, state } = options
  const isProxy = response.status === 407
  const challenge = strongestChallenge(response, isProxy ? "proxy-authenticate" : "www-authenticate")
  if (challenge === null) return Either.left(new ChallengeRefused({ reason: "unsupported" }))
  const header = isProxy ? "proxy-authorization" : "authorization"
  const isSame = (session: DigestSession) => session.header === header && session.challenge.realm === challenge.realm
  const answers = state.find(isSame)?.answers ?? 0
  if (answers > (challenge.stale ? maxStale : 0)) return Either.left(new ChallengeRefused({ reason: "rejected" }))
  const session: DigestSession = { header, challenge, cnonce, nonceCount: 0, answers: answers + 1 }
  return Either.right(present([...state.filter((other) => !isSame(other)), session], request, credentials))
}
