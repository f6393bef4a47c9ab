import { spawnSync } from "node:child_process"

/** Whether a program is installed here. */
export const isInstalled = (tool: string): boolean => spawnSync(tool, ["--version"]).error === undefined

/** What a program writes for what it reads. */
export const output = (tool: string, args: ReadonlyArray<string>, input: Uint8Array = new Uint8Array()): Uint8Array => {
  const { error, status, stderr, stdout } = spawnSync(tool, args, { input, maxBuffer: 1 << 28 })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${tool} failed: ${stderr}`)
  return new Uint8Array(stdout)
}
