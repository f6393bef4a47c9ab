import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that take longest, so that none of them is left for the end, when all other workers have nothing to do. */
const slowest = [
  "/test/serving/",
  "/engine/test/simulation/",
  "/examples/server/test/",
  "/examples/rehearse/test/",
  "/warehouse-sqlite/test/laws.test.ts",
  "/test/speech/codecs.test.ts",
  "/rehearsal-worker/test/",
  "/sqlite-runners/test/stops.test.ts",
  "/cohort-worker/test/CohortWorker.test.ts",
  "/speech-espeak/test/wasm.test.ts"
]

const isSlow = ({ moduleId }: TestSpecification): boolean => slowest.some((part) => moduleId.includes(part))

/** Vitest's own order, but for the slowest files, which begin first: small files are not always fast. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
