import { Data, Either, Redacted } from "effect"
import { resolve } from "node:path"
import { parseArgs } from "node:util"

/** Environment variables that hold the keys of servers, unless the command line names others. */
const modelKeyVariable = "MODEL_API_KEY"
const transcriberKeyVariable = "TRANSCRIBER_API_KEY"

export const usage = `Holds a conversation with an agent in the terminal.

  npm run talk -- [--agent FILE] [--language NAME] [--model URL [--model-name NAME] [--model-key-env NAME]]
                   [--audio IN.wav OUT.wav [--both] [--real-time]
                     [--transcriber URL [--transcriber-dialect NAME] [--transcriber-key-env NAME]]]

  --agent                JSON of a version of an agent (default: a friendly one for demonstration)
  --language             English name of the language that the call begins in, such as Hindi
  --model                URL of a server that speaks chat completions, such as http://127.0.0.1:8000/v1 (default: the
                         scripted model, which needs no server)
  --model-name           the server's name for the model that the agent uses
  --model-key-env        environment variable that holds the server's key (default: ${modelKeyVariable})
  --audio                a call with sound: IN.wav is what the caller says, OUT.wav what the caller hears
  --both                 OUT.wav has the caller's sound as well: the caller left, the agent right
  --real-time            the call lasts as long as it would, with the pauses of the servers (default: faster, without them)
  --transcriber          URL of a server that transcribes: http: or https: for one that speaks OpenAI's protocol, ws: or wss:
                         for live transcription (default: a decoder of the sound that modemVoice of @trunkline/speech makes,
                         which understands no people)
  --transcriber-dialect  protocol of live transcription, deepgram or vosk (default: deepgram where the path of the URL is
                         /v1/listen, otherwise vosk)
  --transcriber-key-env  environment variable that holds the transcriber's key (default: ${transcriberKeyVariable})

Type what you say. An empty line is a silence; Ctrl+D hangs up.`

/** A server of the command line. */
interface Server {
  readonly url: string
  readonly apiKey: Redacted.Redacted | null
}

/** A transcription server and its protocol. */
export interface TranscriberServer extends Server {
  readonly protocol: "openai" | Dialect
}

/** Arguments of the command line. */
export interface Arguments {
  readonly agent: string | null
  readonly language: string | null
  readonly model: Server & { readonly name: string | null } | null
  /** Files of a call with sound; null for a typed one. */
  readonly audio: {
    readonly from: string
    readonly to: string
    readonly both: boolean
    readonly isRealTime: boolean
    readonly transcriber: TranscriberServer | null
  } | null
}

/** Reason that there is no conversation, in one line that says what to do. */
export class Unusable extends Data.TaggedError("Unusable")<{ readonly message: string }> {}

const help = "(--help shows what there is)"

const isUrl = (text: string, schemes: RegExp) => URL.canParse(text) && schemes.test(text)

const dialects = ["deepgram", "vosk"] as const

type Dialect = typeof dialects[number]

const wrong = (message: string) => Either.left(new Unusable({ message: `${message} ${help}` }))

const parsed = (words: ReadonlyArray<string>) =>
  Either.try({
    try: () =>
      parseArgs({
        args: words.filter((word) => word !== "--"),
        allowPositionals: true,
        options: {
          agent: { type: "string" },
          language: { type: "string" },
          model: { type: "string" },
          "model-name": { type: "string" },
          "model-key-env": { type: "string" },
          audio: { type: "string" },
          both: { type: "boolean", default: false },
          "real-time": { type: "boolean", default: false },
          transcriber: { type: "string" },
          "transcriber-dialect": { type: "string" },
          "transcriber-key-env": { type: "string" },
          help: { type: "boolean", default: false }
        }
      }),
    catch: (error) => new Unusable({ message: `${error instanceof Error ? error.message.split(". ")[0] : ""} ${help}` })
  })

type Values = Either.Either.Right<ReturnType<typeof parsed>>["values"]

/** A server with its key. A variable that is named must be set; the usual one may be absent. */
const serverOf = (url: string, named: string | undefined, usual: string) => {
  const key = process.env[named ?? usual]
  return named !== undefined && !key
    ? wrong(`The environment variable ${named} is not set`)
    : Either.right<Server>({ url, apiKey: key ? Redacted.make(key) : null })
}

const modelIn = ({ model, "model-key-env": key, "model-name": name }: Values) => {
  if (model === undefined) {
    return name === undefined && key === undefined
      ? Either.right(null)
      : wrong("--model-name and --model-key-env need --model")
  }
  if (!isUrl(model, /^https?:/)) return wrong("--model must be a URL that begins with http:// or https://")
  return Either.map(serverOf(model, key, modelKeyVariable), (server) => ({ ...server, name: name ?? null }))
}

const transcriberIn = (
  { transcriber: url, "transcriber-dialect": named, "transcriber-key-env": key }: Values
): Either.Either<TranscriberServer | null, Unusable> => {
  if (url === undefined) {
    return named === undefined && key === undefined
      ? Either.right(null)
      : wrong("--transcriber-dialect and --transcriber-key-env need --transcriber")
  }
  if (!isUrl(url, /^(https?|wss?):/)) {
    return wrong("--transcriber must be a URL that begins with http://, https://, ws:// or wss://")
  }
  const { pathname, protocol } = new URL(url)
  const isLive = protocol.startsWith("ws")
  if (named !== undefined && !isLive) return wrong("--transcriber-dialect needs a --transcriber at ws:// or wss://")
  const dialect = dialects.find((name) => name === (named ?? (pathname === "/v1/listen" ? "deepgram" : "vosk")))
  if (dialect === undefined) return wrong(`--transcriber-dialect must be ${dialects.join(" or ")}`)
  return Either.map(
    serverOf(url, key, transcriberKeyVariable),
    (server) => ({ ...server, protocol: isLive ? dialect : "openai" })
  )
}

/** Reads the command line; null when it asks for help. Paths are relative to `folder`. */
export const readArguments = (
  words: ReadonlyArray<string>,
  folder: string
): Either.Either<Arguments | null, Unusable> =>
  Either.gen(function*() {
    const { positionals: [to, ...others], values } = yield* parsed(words)
    if (values.help) return null
    const { agent, audio, both, language = null, "real-time": isRealTime } = values
    const model = yield* modelIn(values)
    const transcriber = yield* transcriberIn(values)
    if (audio === undefined && (both || isRealTime || transcriber !== null)) {
      return yield* wrong("--both, --real-time and --transcriber need --audio")
    }
    if (audio !== undefined && to === undefined) return yield* wrong("--audio needs two files, IN.wav OUT.wav")
    if (audio !== undefined && to !== undefined && resolve(folder, audio) === resolve(folder, to)) {
      return yield* wrong("--audio needs two different files: OUT.wav would replace IN.wav")
    }
    const extra = audio === undefined ? to : others[0]
    if (extra !== undefined) return yield* wrong(`Nothing is known of "${extra}"`)
    return {
      audio: audio === undefined || to === undefined
        ? null
        : { from: resolve(folder, audio), to: resolve(folder, to), both, isRealTime, transcriber },
      agent: agent === undefined ? null : resolve(folder, agent),
      language,
      model
    }
  })
