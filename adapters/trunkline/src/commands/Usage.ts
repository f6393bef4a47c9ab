import { type CommandSyntax, operations } from "./Syntax.js"

/** Formats two columns. */
const columns = (lines: ReadonlyArray<readonly [left: string, right: string]>): string => {
  const width = Math.max(...lines.map(([left]) => left.length))
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n")
}

/** Usage of a command. */
export const usageOf = (name: string, { about, flags, more, operand }: CommandSyntax): string =>
  [
    `Usage: trunkline ${name}${operand === undefined ? "" : ` [${operand}]`} [options]`,
    about,
    columns([
      ...Object.entries(flags).map(([flag, { about, value }]) =>
        [value === undefined ? `--${flag}` : `--${flag} <${value}>`, about] as const
      ),
      ["--help", "print this text"]
    ]),
    ...(more === undefined ? [] : [more])
  ].join("\n\n")

/** Lines about the commands. */
export const overview = (): string =>
  columns(Object.entries(operations).map(([name, { about }]) => [name, about] as const))
