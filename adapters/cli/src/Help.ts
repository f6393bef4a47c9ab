import type { Call, Flag } from "./Command.js"

/** The flags of every command. */
export const commonFlags: Readonly<Record<string, Flag>> = {
  data: { value: "folder", about: "the data folder of the server (TRUNKLINE_DATA, default: .trunkline)" },
  json: { about: "print JSON" },
  help: { about: "print this text" }
}

/** Two columns, the first as wide as it needs to be. */
const aligned = (lines: ReadonlyArray<readonly [left: string, right: string]>): string => {
  const width = Math.max(...lines.map(([left]) => left.length))
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n")
}

const flagText = ([name, { value }]: readonly [string, Flag]) =>
  value === undefined ? `--${name}` : `--${name} <${value}>`

/** How a command is used. */
export const commandHelp = ({ about, flags, name, operands }: Call): string => {
  const all = Object.entries({ ...flags, ...commonFlags })
  const needed = all.filter(([, { needed = false }]) => needed).map(flagText)
  const words = ["trunkline", name, ...operands.map((operand) => `<${operand}>`), ...needed, "[options]"]
  const lines = all.map((flag) => {
    const [, { about, many = false }] = flag
    return [flagText(flag), many ? `${about}; may be repeated` : about] as const
  })
  return `Usage: ${words.join(" ")}\n\n${about}\n\n${aligned(lines)}`
}

/** What commands there are. */
export const overview = (calls: ReadonlyArray<Call>): string =>
  `Usage: trunkline <command> [options]

Accounts, keys and credits of a data folder, also of one that a server is using.

${aligned(calls.map(({ about, name }) => [name, about] as const))}

"trunkline <command> --help" shows how a command is used. Exit codes: 0 done, 1 not possible, 2 used wrongly.`
