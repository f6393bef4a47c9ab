import { statSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Size under which a file of tests holds little more than the call of a suite that stands elsewhere, in bytes. */
const maxCallBytes = 1_000

const isCall = ({ moduleId }: TestSpecification): boolean => statSync(moduleId).size < maxCallBytes

/**
 * Order of the files of tests: those first that run a whole suite of laws or of serving, which take the longest and by their size
 * would come last, while the other workers have nothing left to do.
 */
export class Sequencer extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isCall), ...sorted.filter((file) => !isCall(file))]
  }
}
