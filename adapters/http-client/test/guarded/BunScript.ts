import {
  type DownloadFailed,
  type DownloadRequest,
  GuardedHttp,
  type GuardOptions,
  type HostAddress
} from "@trunkline/http-client/guarded"
import type { SendFailed } from "@trunkline/webhooks"
import { Chunk, Duration, Effect, Stream } from "effect"
import { local } from "./LocalServer.js"
import { closedAnswers, closedHosts } from "./Vectors.js"

/** Sends one request of each kind to the servers at the given ports and writes the results. */
const [closed, open, silent] = process.argv.slice(2)

const tell = (name: string, value: unknown) => Effect.sync(() => console.log(JSON.stringify({ [name]: value })))

const post = (url: string, timeout = Duration.seconds(5)) =>
  Effect.flatMap(GuardedHttp, ({ post }) => post({ url, headers: {}, body: new TextEncoder().encode("hook"), timeout }))

const get = (request: DownloadRequest) =>
  Effect.flatMap(GuardedHttp, ({ get }) => Stream.runCollect(get(request))).pipe(
    Effect.map((pieces) => Buffer.concat(Chunk.toReadonlyArray(pieces)).toString())
  )

const why = ({ reason }: DownloadFailed | SendFailed) => reason

const bothFail = (url: string) =>
  Effect.all([Effect.map(Effect.flip(post(url)), why), Effect.map(Effect.flip(get({ url })), why)])

const addresses = (ips: ReadonlyArray<string>): ReadonlyArray<HostAddress> =>
  ips.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))

/** Reasons for rejecting URLs of internal addresses. */
const refusals = Effect.gen(function*() {
  const strict: GuardOptions = { allowInsecureUrls: true }
  const hosts = [...closedHosts.flatMap(([, hosts]) => hosts), "localhost", "LOCALHOST"]
  const byHost = yield* Effect.forEach(
    hosts.flatMap((host) => [`http://${host}:${closed}/`, `https://${host}:${closed}/`]),
    bothFail
  ).pipe(Effect.provide(GuardedHttp.layer(strict)))
  const byAnswer = yield* Effect.forEach(
    closedAnswers,
    (ips) =>
      Effect.forEach([`http://name.example:${closed}/`, `https://name.example:${closed}/`], bothFail).pipe(
        Effect.provide(GuardedHttp.layer({ ...strict, lookup: async () => addresses(ips) }))
      )
  )
  return [...byHost, ...byAnswer.flat()].flat()
})

/** Resolves a name once for each connection, with the given lookup. */
const pinned = Effect.gen(function*() {
  const lookups: Array<string> = []
  const lookup = async (name: string) => {
    lookups.push(name)
    return addresses(["127.0.0.2"])
  }
  const { headers } = yield* Effect.provide(
    post(`http://localhost:${open}/where`),
    GuardedHttp.layer({ ...local, lookup })
  )
  return [headers["x-reached"], headers["x-host"] === `localhost:${open}`, lookups]
})

const answers = Effect.gen(function*() {
  const url = (path: string) => `http://127.0.0.1:${open}/${path}`
  const failing = (request: DownloadRequest) =>
    Effect.map(Effect.flip(get(request)), ({ kind, reason }) => `${kind}: ${reason}`)
  const soon = Duration.millis(100)

  yield* tell("post", yield* Effect.map(post(url("echo")), ({ headers, status }) => [status, headers["x-body"]]))
  yield* tell("post, moved", (yield* post(url("moved"))).status)
  yield* tell("post, endless", (yield* post(url("endless"))).status)
  for (const slow of [`http://127.0.0.1:${silent}/`, url("stall")]) {
    yield* tell("post, slow", why(yield* Effect.flip(post(slow, soon))))
  }

  for (const path of ["plain", "gzip", "deflate", "br"]) yield* tell(path, (yield* get({ url: url(path) })).length)
  yield* tell("large", yield* failing({ url: url("plain"), maxBytes: 9_999 }))
  yield* tell("large, zipped", yield* failing({ url: url("gzip"), maxBytes: 9_999 }))
  yield* tell("endless", yield* failing({ url: url("endless"), maxBytes: 1024 * 1024 }))
  for (const path of ["bomb-gzip", "bomb-br"]) yield* tell(path, yield* failing({ url: url(path) }))
  yield* tell("cut", yield* failing({ url: url("cut") }))
  yield* tell("moved", yield* failing({ url: url("moved"), maxRedirects: 0 }))
  yield* tell("moved, to a file", yield* failing({ url: url("moved-to-file") }))
  yield* tell("silent", yield* failing({ url: `http://127.0.0.1:${silent}/`, idleTime: soon }))
  yield* tell("stall", yield* failing({ url: url("stall"), idleTime: soon }))
  yield* tell("trickle", yield* failing({ url: url("trickle"), totalTime: soon }))
  yield* tell("nobody", yield* failing({ url: "http://127.0.0.1:1/" }))
})

/** Closes the layer with an idle and a busy connection. */
const closing = Effect.gen(function*() {
  yield* get({ url: `http://127.0.0.1:${open}/plain` })
  yield* Effect.fork(get({ url: `http://127.0.0.1:${open}/stall` }))
  yield* Effect.sleep("50 millis")
})

const main = Effect.gen(function*() {
  const reasons = yield* refusals
  yield* tell("refusals", [reasons.length, [...new Set(reasons)]])
  yield* tell("pinned", yield* pinned)
  yield* Effect.provide(answers, GuardedHttp.layer(local))
  yield* Effect.provide(closing, GuardedHttp.layer(local))
  yield* tell("closed", true)
})

await Effect.runPromise(main)
