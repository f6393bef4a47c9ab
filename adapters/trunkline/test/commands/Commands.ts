import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { execute } from "../../src/commands/Main.js"

/** Result of a command in this process. */
interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs commands in a folder. */
export const commandsIn = (folder: string, environment: Readonly<Record<string, string>> = {}) =>
async (
  ...args: ReadonlyArray<string>
): Promise<Ran> => {
  const [out, err]: [Array<string>, Array<string>] = [[], []]
  const code = await execute(args, {
    environment,
    folder,
    print: (line) => void out.push(line),
    complain: (line) => void err.push(line)
  })
  return { code, out: out.join("\n"), err: err.join("\n") }
}

/** A folder that is gone after `remove`. */
export const temporaryFolder = () => {
  const path = mkdtempSync(join(tmpdir(), "trunkline-commands-"))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
