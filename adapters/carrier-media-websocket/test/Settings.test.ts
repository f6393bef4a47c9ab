import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { createHmac } from "node:crypto"
import { toE164, toNational } from "../src/dialects/Numbers.js"
import { isPlivoSignature, plivoSignature } from "../src/dialects/plivo/PlivoSignature.js"
import { isTwilioSignature } from "../src/dialects/twilio/TwilioApi.js"
import { connectionSettings } from "../src/index.js"
import { languageCode, languageName } from "../src/relay/Languages.js"
import { askedAddress, isAllowedAddress } from "../src/settings/PublicAddress.js"

const secret = "a-secret-that-must-not-be-shown"

const twilio = (options: object) => ({
  provider: "twilio",
  options: {
    public_url: "https://voice.example/voice",
    account_sid: `AC${"0".repeat(32)}`,
    auth_token_env: "TOKEN",
    ...options
  }
})

const problemsOf = (
  line: Parameters<typeof connectionSettings>[0],
  environment: Parameters<typeof connectionSettings>[1] = { TOKEN: secret }
) => Either.getOrElse(Either.flip(connectionSettings(line, environment)), (): ReadonlyArray<string> => [])

describe("the options of a line", () => {
  it("are accepted when they are complete", () => {
    assert.deepStrictEqual(problemsOf(twilio({})), [])
    assert.deepStrictEqual(
      problemsOf({ ...twilio({ hints: ["Asha"], language: "hi-IN" }), provider: "twilio-relay" }),
      []
    )
  })

  it("are refused with one line for each mistake, without values", () => {
    const problems = problemsOf(twilio({ public_url: `https://${secret}@here`, account_sid: secret, colour: secret }))
    assert.lengthOf(problems, 3)
    assert.deepStrictEqual(problems.map((problem) => problem.split(":")[0]).sort(), [
      "options.account_sid",
      "options.colour",
      "options.public_url"
    ])
    assert.notInclude(problems.join(), secret)
  })

  it("are refused when a secret is not in the environment", () => {
    assert.deepStrictEqual(problemsOf(twilio({ auth_token_env: "MISSING" })), [
      "options.auth_token_env: The environment variable MISSING is not set"
    ])
  })

  it("of Smartflo have three secrets, and one of them is a segment of an address", () => {
    const options = { api_token_env: "TOKEN", api_key_env: "KEY", events_key_env: "EVENTS" }
    const line = (more: object = {}) => ({
      provider: "smartflo",
      options: { public_url: "https://voice.example/voice", ...options, ...more }
    })
    const environment = { TOKEN: secret, KEY: secret, EVENTS: secret }
    assert.deepStrictEqual(problemsOf(line(), environment), [])
    for (const EVENTS of ["too-short", `${secret}/..`, `${secret} `, "x".repeat(129)]) {
      assert.deepStrictEqual(problemsOf(line(), { ...environment, EVENTS }), [
        "options.events_key_env: The secret must be 16 to 128 letters, digits, - and _"
      ])
    }
    assert.deepStrictEqual(problemsOf(line(), { TOKEN: secret }), [
      "options.api_key_env: The environment variable KEY is not set",
      "options.events_key_env: The environment variable EVENTS is not set"
    ])
    const mistakes = problemsOf(
      line({ custom_field: "call id", reply_field: "ok", machine_detection: "report" }),
      environment
    )
    assert.deepStrictEqual(mistakes.map((problem) => problem.split(":")[0]).sort(), [
      "options.custom_field",
      "options.machine_detection",
      "options.reply_field"
    ])
  })

  it("take addresses and networks only", () => {
    assert.deepStrictEqual(problemsOf(twilio({ allowed_addresses: ["203.0.113.0/24", "2001:db8::1"] })), [])
    assert.lengthOf(problemsOf(twilio({ allowed_addresses: ["example.com"] })), 1)
  })
})

const settings = (options: object = {}) => ({
  public_url: "https://voice.example/voice",
  trust_forwarded: false,
  poll_seconds: 2,
  timeouts: { connect_seconds: 3, create_seconds: 9, request_seconds: 5, stream_seconds: 10 },
  ...options
})

const forwarded = {
  url: "/v1/connections/line/events?about=status",
  headers: {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    "x-forwarded-for": "198.51.100.7, 203.0.113.9"
  },
  remoteAddress: "10.0.0.1"
}

describe("headers of a proxy", () => {
  it("count only where they are trusted", () => {
    assert.strictEqual(
      askedAddress(settings(), forwarded),
      "https://voice.example/voice/v1/connections/line/events?about=status"
    )
    assert.strictEqual(
      askedAddress(settings({ trust_forwarded: true }), forwarded),
      "https://evil.example/voice/v1/connections/line/events?about=status"
    )
    const under = (prefix: string) =>
      askedAddress(settings({ trust_forwarded: true, public_url: "https://voice.example/edge/voice" }), {
        ...forwarded,
        headers: { ...forwarded.headers, "x-forwarded-prefix": prefix }
      })
    assert.include(under("/edge/"), "https://evil.example/edge/voice/v1/")
    assert.include(under("/other"), "https://evil.example/other/v1/")
    assert.include(under("/edg"), "https://evil.example/edg/v1/")
    const allowed_addresses = ["203.0.113.0/24"]
    assert.isFalse(isAllowedAddress(settings({ allowed_addresses }), forwarded))
    assert.isTrue(isAllowedAddress(settings({ allowed_addresses, trust_forwarded: true }), forwarded))
    assert.isTrue(isAllowedAddress(settings(), forwarded))
  })
})

const requestOf = (address: string, form: string, headers: Readonly<Record<string, string>>) => ({
  method: "POST" as const,
  url: "/",
  address,
  remoteAddress: null,
  headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  fields: new URLSearchParams(form),
  body: new TextEncoder().encode(form),
  now: 0
})

describe("signatures", () => {
  it("of Twilio cover the address and the sorted fields", () => {
    const address = "https://voice.example/voice/v1/connections/line/events?about=status"
    const signature = createHmac("sha1", secret).update(`${address}CallSidCA1CallStatusbusy`).digest("base64")
    const request = requestOf(address, "CallStatus=busy&CallSid=CA1", { "x-twilio-signature": signature })
    assert.isTrue(isTwilioSignature(secret, request))
    assert.isFalse(isTwilioSignature("another", request))
    assert.isFalse(isTwilioSignature(secret, { ...request, address: `${address}&more=1` }))
  })

  it("of Plivo cover the sorted query, the sorted fields and a nonce, and one of several may hold", () => {
    const address = "https://voice.example/events?token=b&about=a"
    const request = requestOf(address, "To=2&From=1", {})
    const signature = plivoSignature(secret, "nonce", request)
    const expected = createHmac("sha256", secret)
      .update("https://voice.example/events?about=a&token=b.From1To2.nonce").digest("base64")
    assert.strictEqual(signature, expected)
    const headers = { "x-plivo-signature-v3-nonce": "nonce", "x-plivo-signature-v3": `AAAA,${signature}` }
    assert.isTrue(isPlivoSignature(secret, { ...request, headers }))
    assert.isFalse(isPlivoSignature(secret, { ...request, headers: { ...headers, "x-plivo-signature-v3-nonce": "x" } }))
  })
})

describe("numbers and languages", () => {
  it("are written in E.164 whatever their provider writes", () => {
    for (const text of ["09876543210", "9876543210", "919876543210", "+91 98765 43210", "00919876543210"]) {
      assert.strictEqual(toE164(text, "91"), "+919876543210")
    }
    assert.strictEqual(toNational("+919876543210", "91"), "09876543210")
    assert.strictEqual(toNational("+14155550100", "91"), "+14155550100")
  })

  it("have names and codes with the region of the line", () => {
    assert.strictEqual(languageName("hi-IN"), "Hindi")
    assert.isNull(languageName(""))
    assert.strictEqual(languageCode("Tamil", "en-IN"), "ta-IN")
    assert.isNull(languageCode("Klingon", "en-IN"))
  })
})
