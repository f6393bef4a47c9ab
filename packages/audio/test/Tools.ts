import { spawnSync } from "node:child_process"

/** True if a program is installed. */
export const isInstalled = (tool: string): boolean => spawnSync(tool, ["--version"]).error === undefined

/** Runs a program with the given input and returns its output. */
export const output = (tool: string, args: ReadonlyArray<string>, input: Uint8Array = new Uint8Array()): Uint8Array => {
  const { error, status, stderr, stdout } = spawnSync(tool, args, { input, maxBuffer: 1 << 28 })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${tool} failed: ${stderr}`)
  return new Uint8Array(stdout)
}
