import { hmac } from "@noble/hashes/hmac"
import { sha256 } from "@noble/hashes/sha2"
import { constantTimeEqual } from "@trunkline/kernel"
import { Encoding } from "effect"
import { headers, type SipRequest } from "../message/Message.js"
import { parseAuthParams } from "./AuthParams.js"
import { algorithmNamed, type DigestAlgorithm, digestResponse } from "./DigestResponse.js"
import { makeNonceCounts } from "./NonceCounts.js"

/**
 * Verdict on the credentials of a request: who sent it, or why it is refused. `absent`: it has none for the realm; `wrong`:
 * unknown user, wrong password or malformed; `stale`: the nonce is too old or was used before, so that the client may try
 * again with a new one.
 */
export type DigestVerdict =
  | { readonly _tag: "Verified"; readonly username: string }
  | { readonly _tag: "Denied"; readonly reason: "absent" | "wrong" | "stale" }

/** Authenticates the requests that this side receives. */
export interface DigestServer {
  /**
   * Values of WWW-Authenticate for a 401, one for each algorithm. `now` is in milliseconds since 1970, `salt` a random text
   * of letters and digits, which makes the nonce unique. `stale` tells a client that only its nonce was too old.
   */
  readonly challenge: (
    options: { readonly now: number; readonly salt: string; readonly stale: boolean }
  ) => ReadonlyArray<string>
  /** Verifies the Authorization of a request. Comparison takes constant time, and each nonce count is accepted once. */
  readonly verify: (request: SipRequest, now: number) => DigestVerdict
}

/** Users of a realm, and how they are authenticated. */
export interface DigestServerSettings {
  /** Name that is shown to users, without quotes. */
  readonly realm: string
  /**
   * Random bytes that sign nonces, at least 16. Draw them anew at every start: with the same bytes, credentials of the
   * minutes before could be used once more.
   */
  readonly key: Uint8Array
  /** Password of a user; null if there is no such user. */
  readonly passwordOf: (username: string) => string | null
  /** Algorithms in the order of the challenges. By default SHA-256, then MD5, which most phones need. */
  readonly algorithms?: ReadonlyArray<DigestAlgorithm>
  /** Lifetime of a nonce in milliseconds; five minutes by default. */
  readonly nonceMillis?: number
}

/** Nonces that are remembered at most. */
const maxNonces = 10_000

const denialFor = (reason: "absent" | "wrong" | "stale"): DigestVerdict => ({ _tag: "Denied", reason })

/**
 * Makes a server of digest authentication (RFC 3261, section 22; RFC 7616; RFC 8760) for one realm, with `qop=auth`.
 * Nonces carry their time and a signature, so that only those in use are stored.
 */
export const makeDigestServer = (settings: DigestServerSettings): DigestServer => {
  const { algorithms = ["SHA-256", "MD5"], key, nonceMillis = 300_000, passwordOf, realm } = settings
  const counts = makeNonceCounts(maxNonces)

  const signatureOf = (signedText: string): string =>
    Encoding.encodeHex(hmac(sha256, key, `${realm}:${signedText}`)).slice(0, 32)

  const nonceOf = (now: number, salt: string): string => {
    const signedText = `${now.toString(36)}-${salt}`
    return `${signedText}-${signatureOf(signedText)}`
  }

  /** The time at which this server issued a nonce; null if it did not. */
  const issuedAt = (nonce: string): number | null => {
    const [, signedText = "", time = "", signature = ""] =
      /^(([\da-z]{1,10})-[\da-zA-Z]{1,64})-([\da-f]{32})$/.exec(nonce) ?? []
    return signedText !== "" && constantTimeEqual(signature, signatureOf(signedText)) ? Number.parseInt(time, 36) : null
  }

  const verify = (params: ReadonlyMap<string, string>, request: SipRequest, now: number): DigestVerdict => {
    const text = (name: string) => params.get(name) ?? ""
    const algorithm = algorithmNamed(params.get("algorithm") ?? "MD5")
    const [username, nonce, count] = [text("username"), text("nonce"), text("nc")]
    if (algorithm === null || !algorithms.includes(algorithm)) return denialFor("wrong")
    if (text("qop").toLowerCase() !== "auth" || !/^[\da-f]{8}$/i.test(count)) return denialFor("wrong")
    const password = passwordOf(username)
    const expectedText = digestResponse({
      algorithm,
      username,
      realm,
      password: password ?? "",
      nonce,
      method: request.method,
      uri: text("uri"),
      qop: "auth",
      nonceCount: count,
      cnonce: text("cnonce"),
      body: request.body
    })
    const isRight = constantTimeEqual(text("response").toLowerCase(), expectedText)
    if (!isRight || password === null) return denialFor("wrong")
    const issueTime = issuedAt(nonce)
    if (issueTime === null || Math.abs(now - issueTime) > nonceMillis) return denialFor("stale")
    counts.forget(now - nonceMillis)
    return counts.use(nonce, issueTime, Number.parseInt(count, 16))
      ? { _tag: "Verified", username }
      : denialFor("stale")
  }

  return {
    challenge: ({ now, salt, stale }) => {
      const nonce = nonceOf(now, salt)
      return algorithms.map((algorithm) =>
        `Digest realm="${realm}", nonce="${nonce}", qop="auth", algorithm=${algorithm}${stale ? ", stale=true" : ""}`
      )
    },
    verify: (request, now) => {
      for (const value of headers(request, "authorization")) {
        const params = parseAuthParams(value)
        if (params?.scheme === "digest" && params.params.get("realm") === realm) {
          return verify(params.params, request, now)
        }
      }
      return denialFor("absent")
    }
  }
}
