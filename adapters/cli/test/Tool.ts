import { type CommandResult, runCommand } from "@trunkline/cli"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

/** A temporary folder, removed after the tests of the file. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs commands on a data folder. */
export const toolOn = (data: string) => (...args: ReadonlyArray<string>): Promise<CommandResult> =>
  runCommand([...args, "--data", data], { environment: {}, folder: data })

/** Parses the JSON output. */
export const jsonOf = ({ stderr, stdout }: CommandResult) => {
  if (stdout === "") throw new Error(stderr)
  return JSON.parse(stdout)
}
