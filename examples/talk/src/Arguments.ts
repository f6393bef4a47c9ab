import { Data, Either } from "effect"
import { resolve } from "node:path"
import { parseArgs } from "node:util"

/** Environment variable that holds the key of the model's server. */
export const modelKeyVariable = "MODEL_API_KEY"

/** Environment variable that holds the key of the transcription server. */
export const transcriberKeyVariable = "TRANSCRIBER_API_KEY"

export const usage = `Holds a conversation with an agent in the terminal.

  npm run talk -- [--agent FILE] [--language NAME] [--model URL] [--model-name NAME]
                   [--audio IN.wav OUT.wav [--both] [--transcriber URL]]

  --agent           JSON of a version of an agent (default: a friendly one for demonstration)
  --language        English name of the language that the call begins in, such as Hindi
  --model           URL of a server that speaks chat completions, such as http://127.0.0.1:8000/v1; its key is read from
                    ${modelKeyVariable} (default: the scripted model, which needs no server)
  --model-name      the server's name for the model that the agent uses
  --audio           a call with sound, faster than it would last: IN.wav is what the caller says, OUT.wav what the caller hears
  --both            OUT.wav has the caller's sound as well: the caller left, the agent right
  --transcriber     URL of a server that transcribes; its key is read from ${transcriberKeyVariable} (default: a decoder of
                    the sound that modemVoice of @trunkline/speech makes, which understands no people)

Type what you say. An empty line is a silence; Ctrl+D hangs up.`

/** Arguments of the command line. */
export interface Arguments {
  readonly agent: string | null
  readonly language: string | null
  readonly model: { readonly url: string; readonly name: string | null } | null
  /** Files of a call with sound; null for a typed one. */
  readonly audio: {
    readonly from: string
    readonly to: string
    readonly both: boolean
    readonly transcriber: string | null
  } | null
}

/** Reason that there is no conversation, in one line that says what to do. */
export class Unusable extends Data.TaggedError("Unusable")<{ readonly message: string }> {}

const help = "(--help shows what there is)"

const isUrl = (text: string) => /^https?:\/\//.test(text)

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
          audio: { type: "string" },
          both: { type: "boolean", default: false },
          transcriber: { type: "string" },
          help: { type: "boolean", default: false }
        }
      }),
    catch: (error) => new Unusable({ message: `${error instanceof Error ? error.message.split(". ")[0] : ""} ${help}` })
  })

/** Reads the command line; null when it asks for help. Paths are relative to `folder`. */
export const readArguments = (
  words: ReadonlyArray<string>,
  folder: string
): Either.Either<Arguments | null, Unusable> =>
  Either.flatMap(parsed(words), ({ positionals: [to, ...others], values }) => {
    if (values.help) return Either.right(null)
    const { agent, audio, both, transcriber = null, language = null, model, "model-name": name = null } = values
    if (model === undefined && name !== null) return wrong("--model-name needs --model")
    if (model !== undefined && !isUrl(model)) return wrong("--model must begin with http:// or https://")
    if (transcriber !== null && !isUrl(transcriber)) return wrong("--transcriber must begin with http:// or https://")
    if (audio === undefined && (both || transcriber !== null)) return wrong("--both and --transcriber need --audio")
    if (audio !== undefined && to === undefined) return wrong("--audio needs two files, IN.wav OUT.wav")
    const extra = audio === undefined ? to : others[0]
    if (extra !== undefined) return wrong(`Nothing is known of "${extra}"`)
    return Either.right({
      audio: audio === undefined || to === undefined
        ? null
        : { from: resolve(folder, audio), to: resolve(folder, to), both, transcriber },
      agent: agent === undefined ? null : resolve(folder, agent),
      language,
      model: model === undefined ? null : { url: model, name }
    })
  })
