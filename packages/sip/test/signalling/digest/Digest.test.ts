import { Either } from "effect"
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import {
  answerChallenge,
  type DigestRequest,
  type DigestState,
  header,
  makeDigestServer,
  presentCredentials,
  type SipRequest,
  type SipResponse
} from "../../../src/index.js"
import { parseAuthParams } from "../../../src/signalling/digest/AuthParams.js"
import { digestResponse } from "../../../src/signalling/digest/DigestResponse.js"

const noBody = new Uint8Array(0)
const invite: DigestRequest = { method: "INVITE", uri: "sip:b@example.com", body: noBody }
const credentials = { username: "alice", password: "secret" }

const challenged = (values: ReadonlyArray<string>, status = 401): SipResponse => ({
  _tag: "Response",
  status,
  reason: "",
  headers: values.map((value) => [status === 407 ? "proxy-authenticate" : "www-authenticate", value] as const),
  body: noBody
})

const answer = (response: SipResponse, state: DigestState = [], request = invite) =>
  answerChallenge(response, { state, request, credentials, cnonce: "0a4f113b" })

const paramsOf = (value: string | undefined) => Object.fromEntries(parseAuthParams(value ?? "")?.params ?? [])

describe("a digest", () => {
  const mufasa = {
    username: "Mufasa",
    realm: "http-auth@example.org",
    password: "Circle of Life",
    nonce: "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
    cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
    nonceCount: "00000001",
    method: "GET",
    uri: "/dir/index.html",
    qop: "auth",
    body: noBody
  } as const

  it("is that of RFC 7616, section 3.9.1", () => {
    expect(digestResponse({ ...mufasa, algorithm: "MD5" })).toBe("8ca523f5e9506fed4657c9700eebdbec")
    expect(digestResponse({ ...mufasa, algorithm: "SHA-256" })).toBe(
      "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
    )
  })

  it("agrees with an independent computation for every algorithm and quality of protection", () => {
    const names = { "MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512-256" } as const
    for (const base of ["MD5", "SHA-256", "SHA-512-256"] as const) {
      const hash = (text: string) => createHash(names[base]).update(text).digest("hex")
      const ha1 = hash("Mufasa:http-auth@example.org:Circle of Life")
      const session = hash(`${ha1}:${mufasa.nonce}:${mufasa.cnonce}`)
      const ha2 = hash("GET:/dir/index.html")
      const tail = `${mufasa.nonce}:00000001:${mufasa.cnonce}`
      expect(digestResponse({ ...mufasa, algorithm: base, qop: null })).toBe(hash(`${ha1}:${mufasa.nonce}:${ha2}`))
      expect(digestResponse({ ...mufasa, algorithm: `${base}-sess` })).toBe(hash(`${session}:${tail}:auth:${ha2}`))
      expect(digestResponse({ ...mufasa, algorithm: base, qop: "auth-int" })).toBe(
        hash(`${ha1}:${tail}:auth-int:${hash(`GET:/dir/index.html:${hash("")}`)}`)
      )
    }
  })
})

describe("a client", () => {
  it("answers the strongest challenge that it knows", () => {
    const presented = Either.getOrThrow(answer(challenged([
      "Digest realm=\"r\", nonce=\"n1\", algorithm=MD5, qop=\"auth\"",
      "Digest realm=\"r\", nonce=\"n2\", algorithm=SHA-256, qop=\"auth,auth-int\", opaque=\"o\"",
      "Digest realm=\"r\", nonce=\"n3\", algorithm=SHA-3, qop=\"auth\"",
      "Digest realm=\"r\", nonce=\"n4\", algorithm=SHA-512-256, qop=\"auth-conf\"",
      "Basic realm=\"r\""
    ])))
    expect(presented.headers.map(([name]) => name)).toEqual(["authorization"])
    expect(paramsOf(presented.headers[0]?.[1])).toMatchObject({
      username: "alice",
      nonce: "n2",
      algorithm: "SHA-256",
      qop: "auth",
      nc: "00000001",
      cnonce: "0a4f113b",
      opaque: "o",
      uri: "sip:b@example.com"
    })
  })

  it("answers old challenges without quality of protection", () => {
    const { headers } = Either.getOrThrow(answer(challenged(["Digest realm=\"r\",nonce=\"n\""], 407)))
    expect(headers[0]?.[0]).toBe("proxy-authorization")
    expect(Object.keys(paramsOf(headers[0]?.[1]))).toEqual(["username", "realm", "nonce", "uri", "response"])
  })

  it("gives up when its answer is challenged again, but replaces a stale nonce", () => {
    const first = Either.getOrThrow(answer(challenged(["Digest realm=\"r\", nonce=\"n1\", qop=\"auth\""])))
    const again = answer(challenged(["Digest realm=\"r\", nonce=\"n2\", qop=\"auth\""]), first.state)
    expect(again).toMatchObject({ left: { reason: "rejected" } })
    let { state } = first
    for (const nonce of ["n2", "n3"]) {
      const next = Either.getOrThrow(answer(challenged([`Digest realm="r", nonce="${nonce}", stale=TRUE`]), state))
      expect(paramsOf(next.headers[0]?.[1])).toMatchObject({ nonce })
      state = next.state
    }
    expect(answer(challenged(["Digest realm=\"r\", nonce=\"n4\", stale=true"]), state)).toMatchObject({
      left: { reason: "rejected" }
    })
  })

  it("cannot answer a challenge of another kind", () => {
    for (
      const values of [[], ["Basic realm=\"r\""], ["Digest realm=\"r\""], [
        "Digest realm=\"r\", nonce=\"n\", algorithm=X"
      ]]
    ) {
      expect(answer(challenged(values))).toMatchObject({ left: { reason: "unsupported" } })
    }
  })

  it("presents its credentials with later requests, counts them, and answers a new nonce then", () => {
    const { state } = Either.getOrThrow(answer(challenged(["Digest realm=\"r\", nonce=\"n1\", qop=\"auth\""])))
    const bye = { method: "BYE", uri: "sip:b@192.0.2.1", body: noBody }
    const presented = presentCredentials(state, bye, credentials)
    expect(paramsOf(presented.headers[0]?.[1])).toMatchObject({ nc: "00000002", uri: "sip:b@192.0.2.1" })
    const next = answer(challenged(["Digest realm=\"r\", nonce=\"n2\", qop=\"auth\""]), presented.state, bye)
    expect(paramsOf(Either.getOrThrow(next).headers[0]?.[1])).toMatchObject({ nonce: "n2", nc: "00000001" })
    expect(presentCredentials([], bye, credentials).headers).toEqual([])
  })

  it("answers a proxy and a server at once", () => {
    const proxy = Either.getOrThrow(answer(challenged(["Digest realm=\"p\", nonce=\"n1\", qop=\"auth\""], 407)))
    const both = Either.getOrThrow(answer(challenged(["Digest realm=\"s\", nonce=\"n2\", qop=\"auth\""]), proxy.state))
    expect(both.headers.map(([name, value]) => [name, paramsOf(value)["nc"]])).toEqual([
      ["proxy-authorization", "00000002"],
      ["authorization", "00000001"]
    ])
  })
})

describe("a server", () => {
  const now = 1_700_000_000_000
  const server = () =>
    makeDigestServer({
      realm: "trunk",
      key: new Uint8Array(32).fill(7),
      passwordOf: (username) => username === "alice" ? "secret" : null
    })

  const request = (value: string | undefined, method = "INVITE"): SipRequest => ({
    _tag: "Request",
    method,
    uri: invite.uri,
    headers: value === undefined ? [] : [["authorization", value]],
    body: noBody
  })

  /** The answer of a client to the server's challenges. */
  const answered = (values: ReadonlyArray<string>, login = credentials) =>
    Either.getOrThrow(
      answerChallenge(challenged(values), { state: [], request: invite, credentials: login, cnonce: "0a4f113b" })
    )
  const valueOf = ({ headers }: { readonly headers: ReadonlyArray<readonly [string, string]> }) => headers[0]?.[1]
  const denied = (reason: string) => ({ _tag: "Denied", reason })

  it("verifies the answer to each of its challenges once", () => {
    const verifier = server()
    verifier.challenge({ now, salt: "a", stale: false }).forEach((value, index) => {
      const presented = answered([value])
      const first = request(valueOf(presented))
      expect(header(first, "authorization")).toContain(index === 0 ? "algorithm=SHA-256" : "algorithm=MD5")
      if (index > 0) return
      expect(verifier.verify(first, now)).toEqual({ _tag: "Verified", username: "alice" })
      expect(verifier.verify(first, now)).toEqual(denied("stale"))
      const second = presentCredentials(presented.state, invite, credentials)
      expect(verifier.verify(request(valueOf(second)), now)).toEqual({ _tag: "Verified", username: "alice" })
    })
    const [, md5 = ""] = verifier.challenge({ now, salt: "b", stale: false })
    expect(verifier.verify(request(valueOf(answered([md5]))), now)._tag).toBe("Verified")
  })

  it("tells that there are no credentials, or not for its realm", () => {
    expect(server().verify(request(undefined), now)).toEqual(denied("absent"))
    expect(server().verify(request("Digest realm=\"other\", nonce=\"n\""), now)).toEqual(denied("absent"))
    expect(server().verify(request("Basic YTpi"), now)).toEqual(denied("absent"))
  })

  it("refuses unknown users, wrong passwords, other methods, and credentials that are malformed", () => {
    const values = server().challenge({ now, salt: "a", stale: false })
    const right = valueOf(answered(values)) ?? ""
    const wrong = [
      request(valueOf(answered(values, { username: "bob", password: "secret" }))),
      request(valueOf(answered(values, { username: "alice", password: "wrong" }))),
      request(valueOf(answered(values, { username: "bob", password: "" }))),
      request(right, "BYE"),
      request(right.replace("qop=auth", "qop=auth-int")),
      request(right.replace("nc=00000001", "nc=1")),
      request(right.replace("SHA-256", "SHA-512-256")),
      request("Digest realm=\"trunk\"")
    ]
    expect(wrong.map((one) => server().verify(one, now))).toEqual(wrong.map(() => denied("wrong")))
  })

  it("lets a client try again when its nonce is too old, or is not one of its own", () => {
    const right = request(valueOf(answered(server().challenge({ now, salt: "a", stale: false }))))
    expect(server().verify(right, now + 300_001)).toEqual(denied("stale"))
    expect(server().verify(request(valueOf(answered(["Digest realm=\"trunk\", nonce=\"n\", qop=\"auth\""]))), now))
      .toEqual(denied("stale"))
    const other = makeDigestServer({ realm: "trunk", key: new Uint8Array(32), passwordOf: () => "secret" })
    expect(other.verify(right, now)).toEqual(denied("stale"))
    expect(server().challenge({ now, salt: "a", stale: true })[0]).toMatch(/^Digest realm="trunk", .*, stale=true$/)
  })
})
