import { Data, Either } from "effect"
import { resolve } from "node:path"
import { parseArgs } from "node:util"

/** Environment variable that holds the key of the model's server. */
export const modelKeyVariable = "MODEL_API_KEY"

export const usage = `Holds a conversation with an agent in the terminal.

  npm run talk -- [--agent FILE] [--language NAME] [--model URL] [--model-name NAME]

  --agent           JSON of a version of an agent (default: a friendly one for demonstration)
  --language        English name of the language that the call begins in, such as Hindi
  --model           URL of a server that speaks chat completions, such as http://127.0.0.1:8000/v1; its key is read from
                    ${modelKeyVariable} (default: the scripted model, which needs no server)
  --model-name      the server's name for the model that the agent uses

Type what you say. An empty line is a silence; Ctrl+D hangs up.`

/** Arguments of the command line. */
export interface Arguments {
  readonly agent: string | null
  readonly language: string | null
  readonly model: { readonly url: string; readonly name: string | null } | null
}

/** Reason that there is no conversation, in one line that says what to do. */
export class Unusable extends Data.TaggedError("Unusable")<{ readonly message: string }> {}

const help = "(--help shows what there is)"

const wrong = (message: string) => Either.left(new Unusable({ message: `${message} ${help}` }))

const parsed = (words: ReadonlyArray<string>) =>
  Either.try({
    try: () =>
      parseArgs({
        args: words.filter((word) => word !== "--"),
        options: {
          agent: { type: "string" },
          language: { type: "string" },
          model: { type: "string" },
          "model-name": { type: "string" },
          help: { type: "boolean", default: false }
        }
      }).values,
    catch: (error) => new Unusable({ message: `${error instanceof Error ? error.message.split(". ")[0] : ""} ${help}` })
  })

/** Reads the command line; null when it asks for help. Paths are relative to `folder`. */
export const readArguments = (
  words: ReadonlyArray<string>,
  folder: string
): Either.Either<Arguments | null, Unusable> =>
  Either.flatMap(parsed(words), (values) => {
    if (values.help) return Either.right(null)
    const { agent, language = null, model, "model-name": name = null } = values
    if (model === undefined && name !== null) return wrong("--model-name needs --model")
    if (model !== undefined && !/^https?:\/\//.test(model)) return wrong("--model must begin with http:// or https://")
    return Either.right({
      agent: agent === undefined ? null : resolve(folder, agent),
      language,
      model: model === undefined ? null : { url: model, name }
    })
  })
