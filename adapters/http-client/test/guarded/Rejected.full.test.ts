import { assert, describe, it } from "@effect/vitest"
import {
  DownloadFailed,
  GuardedHttp,
  type GuardOptions,
  type HostAddress,
  isPublicAddress
} from "@trunkline/http-client/guarded"
import { Duration, Effect, FastCheck, Stream } from "effect"
import { isListed } from "./Listed.js"
import { noNetwork } from "./NoNetwork.js"
import { carriers, closedAnswers, closedHosts, noUrls, overlongUrls, publicV4, spellings } from "./Vectors.js"

const addresses = (ips: ReadonlyArray<string>): ReadonlyArray<HostAddress> =>
  ips.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))

const notPublic = "the host is not on the public internet"

interface Outcome {
  /** Reasons for the failure of `post` and `get`; every request fails here, because no server responds. */
  readonly reasons: ReadonlyArray<string>
  readonly lookups: ReadonlyArray<string>
  readonly attempts: ReadonlyArray<string>
}

/** Sends a POST and a GET request to each URL through a client without a network. */
const tryUrls = (
  urls: ReadonlyArray<string>,
  options: GuardOptions = {},
  answer: ReadonlyArray<string> = ["8.8.8.8"]
): Effect.Effect<ReadonlyArray<Outcome>> => {
  const lookups: Array<string> = []
  const lookup = async (name: string) => {
    lookups.push(name)
    return addresses(answer)
  }
  return Effect.gen(function*() {
    const attempts = yield* noNetwork
    const http = yield* GuardedHttp
    return yield* Effect.forEach(urls, (url) =>
      Effect.gen(function*() {
        const before = [lookups.length, attempts.length] as const
        const failure = yield* Effect.flip(
          http.post({ url, headers: {}, body: new Uint8Array(), timeout: Duration.seconds(5) })
        )
        const got = yield* Effect.flip(Stream.runDrain(http.get({ url })))
        const outcome = {
          reasons: [failure.reason, got.reason],
          lookups: lookups.slice(before[0]),
          attempts: attempts.slice(before[1])
        }
        assert.strictEqual(got.kind, outcome.attempts.length === 0 ? "refused" : "network", url)
        return outcome
      }))
  }).pipe(Effect.provide(GuardedHttp.layer({ ...options, lookup })), Effect.scoped, Effect.orDie)
}

const tryUrl = (url: string, options?: GuardOptions, answer?: ReadonlyArray<string>): Effect.Effect<Outcome> =>
  Effect.flatMap(tryUrls([url], options, answer), ([outcome]) => Effect.fromNullable(outcome)).pipe(Effect.orDie)

/** Opening a thousand sockets is faster without TLS. */
const insecure: GuardOptions = { allowInsecureUrls: true }

const nowhere = (reason: string): Outcome => ({ reasons: [reason, reason], lookups: [], attempts: [] })

describe("rejects a URL before resolving or connecting", () => {
  it("has a long table of cases", () =>
    assert.isAtLeast(
      closedHosts.flatMap(([, hosts]) => hosts).length + noUrls.length + overlongUrls.length + closedAnswers.length,
      500
    ))

  it.effect.each(closedHosts)("in any notation: %s", ([, hosts]) =>
    Effect.gen(function*() {
      for (const [at, outcome] of (yield* tryUrls(hosts.map((host) => `https://${host}/secret`))).entries()) {
        assert.deepStrictEqual(outcome, nowhere(notPublic), hosts[at])
      }
    }))

  it.effect.each([
    "http://[::1]/",
    "http://127.0.0.1:8080/",
    "https://2130706433:8080/",
    "http://[::ffff:a00:1]:8080/"
  ])(
    "%s, even with an allowed scheme and port",
    (url) =>
      Effect.gen(function*() {
        const outcome = yield* tryUrl(url, { allowInsecureUrls: true, allowedPorts: [8080] })
        assert.deepStrictEqual(outcome, nowhere(notPublic))
      })
  )

  it.effect("without https", () =>
    Effect.gen(function*() {
      for (const [at, { attempts, lookups, reasons }] of (yield* tryUrls(noUrls)).entries()) {
        assert.deepStrictEqual([lookups, attempts], [[], []], noUrls[at])
        for (const reason of reasons) {
          assert.match(reason, /^rejected URL: Should be (an absolute https URL$|at most)/, noUrls[at])
        }
      }
    }))

  it.effect("with a user, a password or a port", () =>
    Effect.gen(function*() {
      for (const [at, outcome] of (yield* tryUrls(overlongUrls)).entries()) {
        const reason = overlongUrls[at]?.includes("@")
          ? "rejected URL: Should not hold a user name or password"
          : "rejected URL: Should have no port, or one that is allowed"
        assert.deepStrictEqual(outcome, nowhere(reason), overlongUrls[at])
      }
    }))

  it.effect("with http: on an allowed port", () =>
    Effect.gen(function*() {
      const outcome = yield* tryUrl("http://8.8.8.8:8080/", { allowedPorts: [8080] })
      assert.deepStrictEqual(outcome, nowhere("rejected URL: Should be an absolute https URL"))
    }))

  it.effect.each(
    ["https://evil.example/", "https://hooks.slack.com.evil.example/", "https://hooks.slack.com./", "https://8.8.8.8/"]
  )("%s with another host than allowed", (url) =>
    Effect.gen(function*() {
      const outcome = yield* tryUrl(url, { allow: (host) => host === "hooks.slack.com" })
      assert.deepStrictEqual(outcome, nowhere("rejected URL: Should have a host that is allowed"))
    }))
})

describe("rejects a name after resolving, before connecting", () => {
  it.effect.each(closedAnswers.map((ips) => [ips] as const))("to %j", ([ips]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* tryUrl("https://name.example/secret", {}, ips), {
        reasons: [notPublic, notPublic],
        lookups: ["name.example", "name.example"],
        attempts: []
      })
    }))

  it.effect("to a private address even for an allowed host", () =>
    Effect.gen(function*() {
      const { attempts, reasons } = yield* tryUrl("https://hooks.slack.com/", { allow: () => true }, ["10.0.0.1"])
      assert.deepStrictEqual([reasons, attempts], [[notPublic, notPublic], []])
    }))

  it.effect.each(["localhost", "LOCALHOST", "localhost.", "127.0.0.1.."])(
    "%s by the resolver of the system",
    (host) =>
      Effect.gen(function*() {
        const attempts = yield* noNetwork
        const failure = yield* Effect.flip(
          Effect.flatMap(GuardedHttp, ({ get }) => Stream.runDrain(get({ url: `https://${host}/` })))
        )
        assert.instanceOf(failure, DownloadFailed)
        assert.deepStrictEqual(attempts, [])
      }).pipe(Effect.provide(GuardedHttp.layer()), Effect.scoped)
  )
})

describe("connects to the checked public address", () => {
  const refusedThere = ["the connection was refused", "the connection was refused"]

  const reaches = (url: string, address: string, options: GuardOptions = {}) =>
    Effect.gen(function*() {
      const { attempts, lookups, reasons } = yield* tryUrl(url, options)
      assert.deepStrictEqual([reasons, lookups, attempts], [refusedThere, [], [address, address]])
    })

  it.effect.each(publicV4)("in any notation: %s", (ip) =>
    Effect.gen(function*() {
      const spelt = spellings(ip).map((host) => [`http://${host}/`, `${ip}:80`] as const)
      const carried = carriers(ip).map((host) => {
        const url = `http://${host}/`
        return [url, `${new URL(url).hostname.slice(1, -1)}:80`] as const
      })
      const urls = [...spelt, ...carried]
      for (const [at, { attempts, lookups }] of (yield* tryUrls(urls.map(([url]) => url), insecure)).entries()) {
        const [url, address] = urls[at] ?? []
        assert.deepStrictEqual([lookups, attempts], [[], [address, address]], url)
      }
    }))

  it.effect.each(
    [
      ["https://8.8.8.8:443/", "8.8.8.8:443", {}],
      ["HTTPS://8.8.8.8", "8.8.8.8:443", {}],
      ["https:\\\\8.8.8.8\\", "8.8.8.8:443", {}],
      [" https://8.8.8.8/\n", "8.8.8.8:443", {}],
      ["https://[2606:4700::1111]/", "2606:4700::1111:443", {}],
      ["https://[2A00:1450:4001::1]/", "2a00:1450:4001::1:443", {}],
      ["https://8.8.8.8:8443/", "8.8.8.8:8443", {}],
      ["https://8.8.8.8:853/", "8.8.8.8:853", { allowedPorts: [853] }],
      ["https://8.8.8.8/", "8.8.8.8:443", { allowedPorts: [8443] }],
      ["http://8.8.8.8/", "8.8.8.8:80", { allowInsecureUrls: true }],
      ["http://8.8.8.8:8080/", "8.8.8.8:8080", { allowInsecureUrls: true, allowedPorts: [8080] }],
      ["https://8.8.8.8:9999/", "8.8.8.8:9999", { allowPrivateUrls: true }],
      ["https://127.0.0.1:9999/", "127.0.0.1:9999", { allowPrivateUrls: true }],
      ["https://[::1]/", "::1:443", { allowPrivateUrls: true }],
      ["https://8.8.8.8/", "8.8.8.8:443", { allow: (host) => host === "8.8.8.8" }]
    ] satisfies ReadonlyArray<readonly [url: string, address: string, options: GuardOptions]>
  )("%s connects to %s", ([url, address, options]) => reaches(url, address, options))

  it.effect.each(
    [
      ["https://hooks.example/", "hooks.example"],
      ["https://HOOKS.example/", "hooks.example"],
      ["https://hooks.example./", "hooks.example."],
      ["https://bücher.example/", "xn--bcher-kva.example"],
      ["https://127.0.0.1.example/", "127.0.0.1.example"]
    ] as const
  )("%s is resolved once for each connection", ([url, name]) =>
    Effect.gen(function*() {
      const { attempts, lookups } = yield* tryUrl(url, {}, ["2606:4700::1111", "8.8.8.8"])
      assert.deepStrictEqual(lookups, [name, name])
      const once = ["2606:4700::1111:443", "8.8.8.8:443"]
      assert.deepStrictEqual(attempts, [...once, ...once])
    }))

  it.effect("parses non-ASCII names correctly after many other URLs", () =>
    Effect.gen(function*() {
      for (let at = 0; at < 20_000; at++) URL.canParse(`https://a.example/${at}`)
      const { attempts, lookups } = yield* tryUrl("https://bücher.example/")
      assert.deepStrictEqual([lookups[0], attempts[0]], ["xn--bcher-kva.example", "8.8.8.8:443"])
      const misread = yield* tryUrl("https://8.8.8.8\u00a8.example/")
      assert.deepStrictEqual(misread, nowhere("rejected URL: Should be an absolute https URL"))
    }))

  it.effect("ignores a proxy from the environment", () => {
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
    const before = names.map((name) => process.env[name])
    return Effect.acquireUseRelease(
      Effect.sync(() => names.forEach((name) => process.env[name] = "http://127.0.0.1:3128")),
      () => reaches("https://8.8.8.8/", "8.8.8.8:443"),
      () =>
        Effect.sync(() =>
          names.forEach((name, at) => {
            const value = before[at]
            if (value === undefined) delete process.env[name]
            else process.env[name] = value
          })
        )
    )
  })

  it.effect.prop(
    "accepts a numeric host exactly if its address is public",
    [FastCheck.array(FastCheck.integer({ min: 0, max: 2 ** 32 - 1 }), { minLength: 20, maxLength: 20 })],
    ([numbers]) =>
      Effect.gen(function*() {
        const urls = numbers.map((number) => `http://${number}/`)
        for (const [at, { attempts }] of (yield* tryUrls(urls, insecure)).entries()) {
          const number = numbers[at] ?? 0
          const address = [24, 16, 8, 0].map((shift) => number >>> shift & 255).join(".")
          const reached = isPublicAddress(address) ? [`${address}:80`, `${address}:80`] : []
          assert.deepStrictEqual(attempts, reached, String(number))
        }
      }),
    { fastCheck: { numRuns: 5 } }
  )

  const scraps = FastCheck.constantFrom(
    ..."https:// http:// // @ : [ ] :: . 。 / \\ ? # % %2e %40 8.8.8.8 127 127.0.0.1 0x7f 0177 １ ⓪ 1 fe80 443 a"
      .split(" ")
  )

  it.effect.prop(
    "reaches only addresses that an independent list calls public, for any URL",
    [FastCheck.array(FastCheck.array(scraps, { minLength: 1, maxLength: 8 }), { minLength: 50, maxLength: 50 })],
    ([parts]) =>
      Effect.gen(function*() {
        const urls = parts.map((part) => `http://${part.join("")}`)
        for (const [at, { attempts }] of (yield* tryUrls(urls, insecure)).entries()) {
          for (const attempt of attempts) assert.match(attempt, /:\d+$/, urls[at])
          const inside = attempts.map((attempt) => attempt.replace(/:\d+$/, "")).filter(isListed)
          assert.deepStrictEqual(inside, [], urls[at])
        }
      }),
    { fastCheck: { numRuns: 6 } }
  )
})
