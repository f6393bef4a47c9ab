import { statSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Size under which a file of tests holds little more than the call of a suite that stands elsewhere, in bytes. */
const maxCallBytes = 1_000

/** Parts of the names of files that take a minute and more, whatever their size: an agent that talks, a browser, kills. */
const longTests = [
  "lines/Hosted.full",
  "leaks/Leaks.full",
  "browser/ConsolePages.full",
  "browser/ConsoleCampaign.full",
  "lines/NamedSpeech.full",
  "server/test/Cli.full",
  "docs/Types.full",
  "lines/LineKilled.full",
  "restarts/Postgres.full",
  "programs/Run.full",
  "imports/FilePlaces.full"
]

const isLong = ({ moduleId }: TestSpecification): boolean => longTests.some((name) => moduleId.includes(name))

const isCall = ({ moduleId }: TestSpecification): boolean => statSync(moduleId).size < maxCallBytes

const rankOf = (file: TestSpecification): number => isLong(file) ? 0 : isCall(file) ? 1 : 2

/**
 * Order of the files of tests: first those that take the longest, and those that run a whole suite of laws or of serving. By
 * their size they would come last, while the other workers have nothing left to do.
 */
export class Sequencer extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return sorted.toSorted((left, right) => rankOf(left) - rankOf(right))
  }
}
