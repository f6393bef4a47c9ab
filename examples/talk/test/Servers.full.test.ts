import { assert, describe, it } from "@effect/vitest"
import { VirtualClock } from "@trunkline/kernel"
import { deepgramServer, speechServer, voskServer } from "@trunkline/transcriber-websocket/testing"
import { Effect } from "effect"
import { createServer, type RequestListener, type Server } from "node:http"
import { callerFile, run, silence, soundIn, spoken, wordsIn } from "./SoundCall.js"

/** The origin of a server, until the scope closes. */
const serving = (answer: RequestListener) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<Server>((resume) => {
        const server = createServer(answer)
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => void server.close().closeAllConnections())
    ),
    (server) => {
      const address = server.address()
      return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`
    }
  )

/** A server of chat completions that streams an answer, and the keys that it was asked with. */
const modelServer = (reply: string) => {
  const keys: Array<string | undefined> = []
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${
      JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })
    }\n\n`
  return Effect.map(
    serving((request, response) => {
      keys.push(request.headers.authorization)
      response.setHeader("content-type", "text/event-stream")
      response.end(`${chunk({ role: "assistant", content: reply })}${chunk({}, "stop")}data: [DONE]\n\n`)
    }),
    (origin) => ({ url: `${origin}/v1`, keys })
  )
}

const modelWords = (url: string) => ["--model", url, "--model-key-env", "TALK_TEST_KEY"]

const transcriberWords = (
  url: string,
  dialect: string
) => ["--transcriber", url, "--transcriber-dialect", dialect, "--transcriber-key-env", "TALK_TEST_KEY"]

/** Sets a variable of the environment until the scope closes. */
const withVariable = (name: string, value: string) =>
  Effect.acquireRelease(
    Effect.sync(() => void (process.env[name] = value)),
    () => Effect.sync(() => void delete process.env[name])
  )

const question = (name: string) =>
  Effect.map(spoken("Are you open?"), (sound) => callerFile(name, [silence(8), sound, silence(1)]))

describe("a conversation with servers", () => {
  const protocols = { "deepgram": deepgramServer, "vosk": voskServer }
  for (const dialect of ["deepgram", "vosk"] as const) {
    it.scopedLive(`is heard by a live transcriber, and answered by a model: ${dialect}`, () =>
      Effect.gen(function*() {
        const { open, peers, url } = yield* speechServer(protocols[dialect]())
        const model = yield* modelServer("We are open until nine.")
        yield* withVariable("TALK_TEST_KEY", "secret")
        yield* question("question.wav")
        const { code, errors, output } = yield* run(
          "--audio",
          "question.wav",
          `${dialect}.wav`,
          ...modelWords(model.url),
          ...transcriberWords(url, dialect)
        )
        assert.deepStrictEqual([code, errors], [0, ""])
        assert.match(
          output,
          /\n\[00:\d\d\.\d\] Caller: Are you open\?\n\[00:\d\d\.\d\] Agent: We are open until nine\.\n/
        )
        assert.include(yield* wordsIn(soundIn(`${dialect}.wav`).samples), "We are open until nine.")
        assert.isTrue(model.keys.every((key) => key === "Bearer secret"), String(model.keys))
        assert.match(peers[0]?.request.headers.authorization ?? "", /^(Token|Bearer) secret$/)
        assert.isTrue(peers[0]?.isClosed() === true || open() === 0)
      }))
  }

  it.scopedLive("tells why a server fails, in one line without its key", () =>
    Effect.gen(function*() {
      const refusing = yield* serving((_, response) => response.writeHead(401).end("secret"))
      yield* question("refused.wav")
      const model = yield* run("--audio", "refused.wav", "out.wav", "--model", `${refusing}/v1`)
      assert.match(model.errors, /\nThe model failed: .+\n/)
      const whole = yield* run("--audio", "refused.wav", "out.wav", "--transcriber", refusing)
      assert.match(whole.errors, /^The transcriber failed: .+\n/)
      const speech = yield* speechServer(voskServer())
      speech.refuse({ status: 401 })
      const live = yield* run("--audio", "refused.wav", "out.wav", "--transcriber", speech.url)
      assert.deepStrictEqual(live.code, 1)
      assert.match(live.errors, /^The transcriber failed: .+\nThe call failed: .+\n$/)
      for (const { errors } of [model, whole, live]) assert.notMatch(errors, /secret|timestamp=/)
    }))

  it.effect("lasts as long as it would in real time, here a simulated one", () =>
    Effect.gen(function*() {
      yield* question("slow.wav")
      const { code, output } = yield* VirtualClock.run(run("--audio", "slow.wav", "slowly.wav", "--real-time"))
      assert.strictEqual(code, 0)
      assert.include(output, "Caller: Are you open?")
    }))

  it.effect("does not begin with servers that cannot be used: one line says what to do", () =>
    Effect.gen(function*() {
      const audio = ["--audio", "in.wav", "out.wav"]
      const cases = [
        [["--model", "127.0.0.1:8000"], /^--model must be a URL that begins with http:\/\/ or https:\/\/ \(/],
        [
          ["--model", "http://127.0.0.1:1", "--model-key-env", "NOT_SET"],
          /^The environment variable NOT_SET is not set/
        ],
        [["--model-key-env", "PATH"], /^--model-name and --model-key-env need --model/],
        [["--transcriber", "ws://127.0.0.1:2700"], /^--both, --real-time and --transcriber need --audio/],
        [["--real-time"], /^--both, --real-time and --transcriber need --audio/],
        [[...audio, "--transcriber", "ftp://host"], /^--transcriber must be a URL that begins with http:/],
        [[...audio, "--transcriber", "wss://"], /^--transcriber must be a URL/],
        [
          [...audio, "--transcriber-dialect", "vosk"],
          /^--transcriber-dialect and --transcriber-key-env need --transcr/
        ],
        [
          [...audio, "--transcriber", "ws://127.0.0.1:1", "--transcriber-dialect", "kaldi"],
          /^--transcriber-dialect must be deepgram or vosk/
        ],
        [
          [...audio, "--transcriber", "http://127.0.0.1:1", "--transcriber-dialect", "vosk"],
          /^--transcriber-dialect needs a --transcriber at ws:\/\/ or wss:\/\//
        ],
        [
          [...audio, "--transcriber", "ws://127.0.0.1:1", "--transcriber-key-env", "NOT_SET"],
          /^The environment variable NOT_SET is not set/
        ]
      ] as const
      for (const [words, message] of cases) {
        const { code, errors, output } = yield* run(...words)
        assert.deepStrictEqual([code, output], [1, ""])
        assert.match(errors, message)
        assert.strictEqual(errors.indexOf("\n"), errors.length - 1)
      }
      const { output } = yield* run("--help")
      for (const option of ["--transcriber URL", "--transcriber-key-env", "--model URL", "--real-time"]) {
        assert.include(output, option)
      }
    }))
})
