import {
  type MediaDouble,
  startMediaDouble,
  twilioAccount,
  twilioRelayDouble
} from "@trunkline/carrier-media-websocket/testing"
import { freePort, temporaryFolder } from "@trunkline/carrier-sip/testing"
import { Effect } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { connect, createServer } from "node:net"
import { join } from "node:path"
import { type RelaySettings, replies, silencePrompt } from "./RelayTalk.js"

/** A call that has ended, as its process tells. */
export interface EndedCall {
  readonly attempt_id: string
  readonly completion_status: string
  readonly failure_reason: string | null
  readonly transcript: ReadonlyArray<{ readonly role: string; readonly en_text: string }>
}

type News =
  | { readonly _tag: "Ready"; readonly port: number }
  | { readonly _tag: "Placed"; readonly to: string; readonly attempt_id: string }
  | { readonly _tag: "Refused"; readonly reason: string }
  | EndedCall & { readonly _tag: "Ended" }

/** A process with a line of words. */
export interface RelayProcess {
  readonly child: ChildProcess
  /** Port of the program; 0 until it is ready. */
  readonly port: () => number
  readonly ready: Promise<void>
}

/** A provider whose callers answer questions, an address that leads to one process at a time, and its processes. */
export interface RelayWorld {
  readonly double: MediaDouble
  readonly start: () => RelayProcess
  /** Sends what the provider asks for to a process. */
  readonly lead: (to: RelayProcess) => void
  /** Calls a number; completes with the attempt once the call was placed. */
  readonly call: (over: RelayProcess, to: string) => Promise<string>
  readonly ended: ReadonlyMap<string, EndedCall>
  /** Uses of the tool by attempt. */
  readonly bookings: () => ReadonlyMap<string, number>
}

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Answers the questions of an agent, each a moment after it was heard. */
const answerQuestions = async (double: MediaDouble, isOver: () => boolean): Promise<void> => {
  const answered = new Map<string, { utterances: number; replies: number }>()
  while (!isOver()) {
    await pause(10)
    for (const { facts, relay } of double.calls) {
      if (relay === null) continue
      const state = answered.get(facts.id) ?? { utterances: 0, replies: 0 }
      answered.set(facts.id, state)
      for (; state.utterances < relay.utterances.length; state.utterances++) {
        const heard = relay.utterances[state.utterances] ?? ""
        // Into a silence, the caller says once more what was lost with the process.
        const isAskedAgain = heard.endsWith(silencePrompt)
        const words = heard.includes("?") ? replies[Math.max(0, state.replies - (isAskedAgain ? 1 : 0))] : undefined
        if (words === undefined) continue
        if (!isAskedAgain) state.replies += 1
        setTimeout(() => relay.say([words]), 50)
      }
    }
  }
}

/** Time in which the provider comes back, far above the real one: a machine that is late must not lose a call by it. */
const reconnectMillis = 240_000

/** Starts a world of relays of a program by its path, on SQLite unless a database is given; it ends with the scope. */
export const relayWorld = (program: string, database: string) =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const double = yield* Effect.acquireRelease(
      Effect.promise(() => startMediaDouble({ ...twilioRelayDouble, reconnectMillis })),
      (started) => Effect.promise(started.close)
    )
    const front = yield* freePort()
    const children = new Set<ChildProcess>()
    const ended = new Map<string, EndedCall>()
    const placed = new Map<string, (attempt: string) => void>()
    let leadsTo: RelayProcess | null = null
    let [count, isOver] = [0, false]

    const server = createServer((client) => {
      const upstream = connect(leadsTo?.port() || 1, "127.0.0.1")
      for (const [one, other] of [[client, upstream], [upstream, client]] as const) {
        one.setNoDelay().pipe(other)
        one.on("error", () => other.destroy()).on("close", () => other.destroy())
      }
    })
    yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(front, "127.0.0.1", resolve)))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        isOver = true
        children.forEach((child) => child.kill("SIGKILL"))
        server.close()
      })
    )
    void answerQuestions(double, () => isOver)

    const bookings = join(folder, "bookings")
    const start = (): RelayProcess => {
      let port = 0
      const settings: RelaySettings = {
        data: join(folder, database === "" ? "data" : String(count)),
        database,
        publicUrl: `http://127.0.0.1:${front}`,
        apiUrl: double.url,
        bookings,
        options: { account_sid: twilioAccount.sid, auth_token_env: "TWILIO_TOKEN" }
      }
      count += 1
      const child = fork(program, [JSON.stringify(settings)], {
        env: { ...process.env, TWILIO_TOKEN: twilioAccount.token },
        stdio: ["ignore", "inherit", "inherit", "ipc"]
      })
      children.add(child)
      const ready = new Promise<void>((resolve, reject) => {
        child.on("message", (news: News) => {
          if (news._tag === "Ready") {
            port = news.port
            resolve()
          }
          if (news._tag === "Placed") placed.get(news.to)?.(news.attempt_id)
          if (news._tag === "Ended") ended.set(news.attempt_id, news)
        })
        void once(child, "exit").then(() => reject(new Error("A process has ended before it was ready")))
      })
      ready.catch(() => undefined)
      return { child, port: () => port, ready }
    }
    return {
      double,
      start,
      lead: (to) => {
        leadsTo = to
      },
      call: ({ child }, to) =>
        new Promise((resolve) => {
          placed.set(to, resolve)
          child.send(to)
        }),
      ended,
      bookings: () => {
        const uses = new Map<string, number>()
        for (const id of existsSync(bookings) ? readFileSync(bookings, "utf8").split("\n") : []) {
          if (id !== "") uses.set(id, (uses.get(id) ?? 0) + 1)
        }
        return uses
      }
    } satisfies RelayWorld
  })
