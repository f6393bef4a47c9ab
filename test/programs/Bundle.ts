import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { bundlePrograms } from "../../tools/bundle.mjs"

/** Programs that tests start in processes of their own, by their source. */
const programs = [
  "adapters/limits-redis/test/Child.ts",
  "adapters/sqlite/test/runners/Idle.ts",
  "adapters/sqlite/test/runners/Parent.ts",
  "adapters/sqlite/test/storage/Child.ts",
  "adapters/trunkline/test/calls/testing/SoundProgram.ts",
  "adapters/trunkline/test/leaks/LeakProgram.ts",
  "adapters/trunkline/test/lines/RelayProgram.ts",
  "adapters/trunkline/test/processes/AcceptingProcess.ts",
  "adapters/trunkline/test/processes/EngineProcess.ts",
  "examples/express-campaign/src/main.ts",
  "examples/rehearse/src/main.ts",
  "examples/script-chat/src/main.ts",
  "examples/script-cohort/src/main.ts",
  "examples/script-voice/src/main.ts",
  "examples/agent-tools/src/main.ts",
  "examples/inbound-agent/src/main.ts",
  "examples/sip-agent/src/main.ts",
  "examples/talk/src/main.ts",
  "examples/server/src/main.ts",
  "packages/rehearsal/test/SmallRehearsalMain.ts"
] as const

/** A program that is bundled. */
export type Program = (typeof programs)[number]

/** Those that the tests of `npm test` start. */
const everydayPrograms: ReadonlyArray<Program> = [
  "adapters/sqlite/test/storage/Child.ts",
  "packages/rehearsal/test/SmallRehearsalMain.ts"
]

/** True for the first process that asks for the bundle of a folder. */
const isFirst = (folder: string): boolean => {
  try {
    mkdirSync(join(folder, "begun"))
    return true
  } catch {
    return false
  }
}

/** Name of the file in the folder of a bundle for `npm test`, which stays when it is bundled anew. */
export const everydayMark = "everyday"

/** Has a folder hold only the programs that the tests of `npm test` start. */
export const markEveryday = (folder: string): void => writeFileSync(join(folder, everydayMark), "")

const bundle = (folder: string) =>
  bundlePrograms(folder, existsSync(join(folder, everydayMark)) ? everydayPrograms : programs)

/** Bundles the programs into a folder unless that was begun before; completes, in every process, once it is done. */
export const bundleOnce = async (folder: string): Promise<void> => {
  const [done, failed] = [join(folder, "done"), join(folder, "failed")]
  if (isFirst(folder)) {
    try {
      await bundle(folder)
      writeFileSync(done, "")
    } catch (error) {
      writeFileSync(failed, String(error))
      throw error
    }
  }
  while (!existsSync(done)) {
    if (existsSync(failed)) throw new Error("The programs could not be bundled")
    await pause(50)
  }
}
