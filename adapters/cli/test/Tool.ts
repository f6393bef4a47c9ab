import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Printed, runCommand } from "trunkline"
import { afterAll } from "vitest"

/** A folder for the tests of a file, gone after them. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The tool on one data folder. */
export const toolOn = (data: string) => (...args: ReadonlyArray<string>): Promise<Printed> =>
  runCommand([...args, "--data", data], { environment: {}, folder: data })

/** What was printed as JSON. */
export const jsonOf = ({ stderr, stdout }: Printed) => {
  if (stdout === "") throw new Error(stderr)
  return JSON.parse(stdout)
}
