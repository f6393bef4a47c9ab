import { type TrunklineClient, TrunklineError } from "@trunkline/client"
import { Either, JSONSchema, ParseResult, Schema } from "effect"
import { bounded } from "../client/ToolContent.js"

/** A tool over the interface of a Trunkline server. */
export interface OperatorTool {
  readonly name: string
  readonly description: string
  /** False for a tool that changes something at the server. */
  readonly isReadOnly: boolean
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Uses the tool. Never rejects: a failure is a text that says what to do. */
  readonly run: (client: TrunklineClient, input: unknown) => Promise<OperatorAnswer>
}

/** The answer of a tool, as text. */
export interface OperatorAnswer {
  readonly text: string
  readonly isError: boolean
}

/** Longest answer in UTF-16 units: an assistant pays for each. */
const maxAnswerLength = 20_000

const fieldsOf = ({ issues }: TrunklineError): string =>
  issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ")

/** Reason of a failure, and the next step. */
const failureText = (error: unknown): string => {
  if (!(error instanceof TrunklineError)) return `It failed: ${error instanceof Error ? error.message : String(error)}`
  const { code, message, retryAfter, status } = error
  if (code === "connection_failed") return "The server cannot be reached: see that it runs at the URL given with --url."
  if (status === 401 || status === 403) return `The server refuses the key (${status}): ${message}`
  const fields = fieldsOf(error)
  return `${message}${fields === "" ? "" : ` (${fields})`}${
    retryAfter === null ? "" : ` Try again in ${retryAfter} s.`
  }`
}

const failure = (text: string): OperatorAnswer => ({ text: bounded(text, maxAnswerLength), isError: true })

/** Makes a tool whose arguments are decoded by a schema. */
export const operatorTool = <A, I>({ input, run, ...tool }: {
  readonly name: string
  readonly description: string
  readonly isReadOnly: boolean
  readonly input: Schema.Schema<A, I>
  readonly run: (client: TrunklineClient, input: A) => PromiseLike<unknown>
}): OperatorTool => {
  const decode = Schema.decodeUnknownEither(input, { errors: "all", onExcessProperty: "error" })
  return {
    ...tool,
    parameters: { ...JSONSchema.make(input) },
    run: async (client, args) => {
      const result = decode(args ?? {})
      if (Either.isLeft(result)) {
        const issues = ParseResult.ArrayFormatter.formatErrorSync(result.left)
        return failure(
          `The arguments are wrong: ${
            issues.map(({ message, path }) => `${path.join(".") || "(all)"}: ${message}`).join("; ")
          }`
        )
      }
      try {
        return { text: bounded(JSON.stringify(await run(client, result.right)), maxAnswerLength), isError: false }
      } catch (error) {
        return failure(failureText(error))
      }
    }
  }
}
