import { Effect } from "effect"
import { parseArgs } from "node:util"
import { type Command, type Given, UsageError } from "./Command.js"
import { commands } from "./Commands.js"
import { commandHelp, commonFlags, overview } from "./Help.js"

/** What a command line asks for: a text of help, or a command with what was given to it. */
export type Asked = { readonly help: string } | { readonly command: Command; readonly given: Given }

/** Reads a command line. What was given is never repeated in an error: it may be a key. */
export const readCommandLine = (args: ReadonlyArray<string>): Effect.Effect<Asked, UsageError> => {
  const [group = "", verb = ""] = args
  const command = commands.find(({ name }) => name === `${group} ${verb}`)
  if (command !== undefined) return parse(command, args.slice(2))
  if (group === "--help") return Effect.succeed({ help: overview(commands) })
  const related = commands.filter(({ name }) => name.startsWith(`${group} `))
  if (related.length > 0 && verb === "--help") return Effect.succeed({ help: overview(related) })
  return new UsageError({ message: `There is no such command: "trunkline --help" lists those that there are` })
}

const parse = Effect.fnUntraced(function*(command: Command, args: ReadonlyArray<string>) {
  const { name, operands } = command
  const next = `"trunkline ${name} --help" shows how it is used`
  const { positionals, values } = yield* Effect.try({
    try: () => parseArgs({ args: [...args], options: optionsOf(command), allowPositionals: true }),
    catch: (error) => new UsageError({ message: `${firstSentence(error)}: ${next}` })
  })
  if (values["help"] === true) return { help: commandHelp(command) }
  if (positionals.length !== operands.length) {
    const wanted = operands.length === 0 ? "nothing" : operands.map((operand) => `<${operand}>`).join(" ")
    return yield* new UsageError({ message: `${name} takes ${wanted} beside its options: ${next}` })
  }
  const given = Object.fromEntries(operands.map((operand, index) => [operand, positionals[index]]))
  return { command, given: { ...values, ...given } }
})

const firstSentence = (error: unknown) =>
  String(error instanceof Error ? error.message : error).split(/\.(?:\s|$)|\n/)[0]

const optionsOf = ({ flags }: Command) =>
  Object.fromEntries(
    Object.entries({ ...flags, ...commonFlags }).map(([name, { many = false, value }]) => [
      name,
      { type: value === undefined ? "boolean" as const : "string" as const, multiple: many }
    ])
  )
