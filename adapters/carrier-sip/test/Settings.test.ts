import { assert, describe, it } from "@effect/vitest"
import { Either, Redacted } from "effect"
import { connectionSettings } from "../src/settings/ConnectionSettings.js"
import { fillTemplate } from "../src/settings/NumberTemplates.js"

const environment = { TRUNK: "secret-1", PHONE: "secret-2", EMPTY: "" }

const read = (options: Readonly<Record<string, unknown>>) => connectionSettings({ options }, environment)

const settings = (options: Readonly<Record<string, unknown>>) => Either.getOrThrow(read(options))

const problems = (options: Readonly<Record<string, unknown>>) => Either.getOrThrow(Either.flip(read(options)))

const server = "sip:trunk.example"

describe("the options of a connection", () => {
  it("need a server; the rest has defaults", () => {
    const { credentials, inbound, options, server: target, values } = settings({ server })
    assert.deepStrictEqual(target, { host: "trunk.example" })
    assert.deepStrictEqual(values, { server: "trunk.example", domain: "trunk.example" })
    assert.deepStrictEqual(settings({ server: "sip:[2001:db8::1]:5070" }).values, {
      server: "[2001:db8::1]:5070",
      domain: "[2001:db8::1]"
    })
    assert.isNull(credentials)
    assert.isNull(inbound)
    assert.deepStrictEqual(options.local, { address: "0.0.0.0", port: 5060 })
    assert.deepStrictEqual(options.codecs, ["PCMU", "PCMA"])
    assert.deepStrictEqual(settings({ server, codecs: ["G722", "PCMA"] }).options.codecs, ["G722", "PCMA"])
  })

  it("take TLS by the URI of the server, by its scheme or by the transport of the line", () => {
    const target = { host: "trunk.example", protocol: "tls" as const }
    for (
      const options of [{ server: `${server};transport=tls` }, { server: "sips:trunk.example" }, {
        server,
        transport: "tls"
      }]
    ) {
      const secure = settings(options)
      assert.deepStrictEqual(secure.server, target)
      assert.deepStrictEqual(secure.tls, { ca: undefined, certificate: undefined })
    }
    assert.isNull(settings({ server }).tls)
  })

  it("need both files of an own certificate, which can be read and belong together", () => {
    const tls = (options: object) => problems({ server, transport: "tls", tls: options })
    assert.deepStrictEqual(tls({ cert_file: "cert.pem" }), ["options.tls.key_file: Is needed with cert_file"])
    assert.deepStrictEqual(tls({ key_file: "key.pem" }), ["options.tls.cert_file: Is needed with key_file"])
    assert.deepStrictEqual(tls({ key_password_env: "TRUNK" }), [
      "options.tls.key_file: Is needed with key_password_env"
    ])
    assert.match(
      tls({ require_client_certificate: true }).join(),
      /^options\.tls\.cert_file: Is needed with require_client/
    )
    const missing = "options.tls.ca_file: The file cannot be read: ENOENT"
    assert.deepStrictEqual(tls({ ca_file: "/nowhere/ca.pem" }), [missing])
    const wrong = tls({ cert_file: import.meta.filename, key_file: import.meta.filename })
    assert.match(wrong.join(), /^options\.tls: The files are not a PEM certificate with its key: ERR_/)
  })

  it("take a registration with credentials, and say whose calls are taken", () => {
    const { credentials, inbound, registrar } = settings({
      server: "sip:10.0.0.7:5080;transport=tcp",
      credentials: { user: "desk", password_env: "TRUNK" },
      register: { registrar: "sip:registrar.example" },
      transport: "udp",
      inbound: {
        allow: ["203.0.113.0/24", "2001:db8::/32", "198.51.100.7"],
        digest: { realm: "desk", users: [{ user: "1001", password_env: "PHONE" }] },
        aliases: { desk: "+911140000001" },
        country: "IN"
      }
    })
    assert.deepStrictEqual(registrar, { host: "registrar.example", protocol: "udp" })
    assert.strictEqual(credentials === null ? "" : Redacted.value(credentials.password), "secret-1")
    const allowed = ["203.0.113.9", "203.0.114.9", "2001:db8::1", "2001:db9::1", "198.51.100.7", "198.51.100.8"]
    assert.deepStrictEqual(allowed.map((address) => inbound?.isAllowed(address)), [
      true,
      false,
      true,
      false,
      true,
      false
    ])
    assert.deepStrictEqual(inbound?.digest?.users.map(({ user }) => user), ["1001"])
    assert.strictEqual(inbound?.aliases.get("desk"), "+911140000001")
  })

  it("are rejected with one line per problem, without values", () => {
    assert.deepStrictEqual(problems({ server: "sip:user@trunk.example" }), [
      "options.server: Must be the SIP URI of a server over UDP, TCP or TLS, such as sip:trunk.example;transport=tls"
    ])
    for (
      const wrong of ["trunk.example", "sips:trunk.example;transport=udp", "sip:trunk.example;transport=sctp", "tel:+1"]
    ) {
      assert.lengthOf(problems({ server: wrong }), 1)
    }
    const many = problems({
      server,
      password: "secret-1",
      local: { address: "here", port: 70_000 },
      codecs: ["G729"],
      to_uri: "sip:{number}@{server}",
      from_uri: "desk@{domain}",
      headers: { Via: "x" },
      rtp_ports: { from: 20_000, to: 10_000 }
    })
    assert.deepStrictEqual(many.map((line) => line.split(":")[0]).sort(), [
      "options.codecs.0",
      "options.from_uri",
      "options.headers.Via",
      "options.local.address",
      "options.local.port",
      "options.password",
      "options.rtp_ports.to",
      "options.to_uri"
    ])
    assert.notInclude(many.join(), "secret-1")
    assert.include(many, "options.headers.Via: This header is set by the SIP stack itself: leave it out")
  })

  it("name each codec once", () => {
    assert.deepStrictEqual(problems({ server, codecs: ["PCMU", "PCMA", "PCMU"] }), [
      "options.codecs: Must name each codec once"
    ])
  })

  it("hear words and tones before the answer unless they say otherwise, with the nearest name for a mistake", () => {
    assert.strictEqual(settings({ server }).options.early_media, "words")
    assert.strictEqual(settings({ server, early_media: "off" }).options.early_media, "off")
    assert.deepStrictEqual(problems({ server, early_media: "tone" }), [
      "options.early_media: Must be \"words\", \"tones\" or \"off\"; did you mean \"tones\"?"
    ])
    assert.deepStrictEqual(problems({ server, earlymedia: "off" }).map((line) => line.split(";").at(-1)), [
      " did you mean early_media?"
    ])
  })

  it("change the outcomes of responses and causes, with one line per mistake", () => {
    const { outcomes } = settings({ server, outcomes: { statuses: { 480: "busy" }, causes: { 31: "no_answer" } } })
    assert.deepStrictEqual([...outcomes.statuses], [[480, "busy"]])
    assert.deepStrictEqual([...outcomes.causes], [[31, "no_answer"]])
    assert.strictEqual(settings({ server }).outcomes.statuses.size, 0)
    assert.deepStrictEqual(
      problems({
        server,
        outcomes: { statuses: { 200: "busy", 486: "engaged", "4xx": "busy" }, causes: { 128: "busy" }, events: {} }
      }),
      [
        "options.outcomes.events: is not a known field; known are statuses, causes",
        "options.outcomes.statuses.200: is not a known field",
        "options.outcomes.statuses.4xx: is not a known field",
        "options.outcomes.statuses.486: Must be \"busy\", \"declined\", \"no_answer\", \"invalid_number\", " +
        "\"rejected_by_provider\" or \"provider_unavailable\"",
        "options.outcomes.causes.128: is not a known field"
      ]
    )
  })

  it("name variables that are set", () => {
    assert.deepStrictEqual(
      problems({
        server,
        credentials: { user: "desk", password_env: "OTHER" },
        inbound: { digest: { realm: "desk", users: [{ user: "1001", password_env: "EMPTY" }] } }
      }),
      [
        "options.credentials.password_env: The environment variable OTHER is not set",
        "options.inbound.digest.users.0.password_env: The environment variable EMPTY is not set"
      ]
    )
  })

  it("do not open a line to everybody", () => {
    assert.deepStrictEqual(problems({ server, inbound: {} }), [
      "options.inbound: Needs allow or digest: calls of anybody would be taken without one"
    ])
    assert.deepStrictEqual(problems({ server, register: {}, credentials: { user: "a", password_env: "TRUNK" } }), [
      "options.inbound: Is needed to register: it says whose calls are taken"
    ])
    assert.deepStrictEqual(problems({ server, register: {} }), ["options.credentials: Is needed to register"])
  })

  it("write numbers with or without their plus", () => {
    const values = { server: "[2001:db8::1]", domain: "acme.example" }
    const fill = (template: string) => fillTemplate(template, "+919876543210", values)
    assert.strictEqual(fill("sip:{e164}@{domain};user=phone"), "sip:+919876543210@acme.example;user=phone")
    assert.strictEqual(fill("sip:9{digits}@{server}"), "sip:9919876543210@[2001:db8::1]")
    assert.strictEqual(fill("tel:{e164}"), "tel:+919876543210")
  })
})
