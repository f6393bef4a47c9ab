import { Duration } from "effect"
import { availableParallelism, tmpdir } from "node:os"
import { resolve } from "node:path"

/** What a pool may take. */
export interface RunnerOptions {
  /** How many statements run at a time; default the number of cores, at least 4: a lane has all but one of them. */
  readonly size?: number
  /** How long one may run, from when a child begins with it; default 15 seconds (specification, boards, rule 1). */
  readonly deadline?: Duration.DurationInput
  /** How large a child may grow, in bytes of resident memory; default 320 MiB, of which 60 are its own. */
  readonly memoryBytes?: number
  /** How much temporary disk one may take, in bytes; default 256 MiB. */
  readonly temporaryBytes?: number
  /** Where the temporary folders of children are made, such as on a disk of their own; default that of the system. */
  readonly temporaryFolder?: string
  /** How much children give way to other processes, as `nice` counts it; default 5, so that the server comes first. */
  readonly niceness?: number
  /** How long a statement waits for its turn before it is refused; default 5 seconds (design: boards 3.2). */
  readonly patience?: Duration.DurationInput
  /** How many statements may wait altogether; default 256. */
  readonly waiting?: number
  /** How many of them may be of one lane; default 64. */
  readonly waitingPerLane?: number
}

/** Options with their defaults. */
export interface RunnerLimits {
  readonly size: number
  readonly deadlineMillis: number
  readonly memoryBytes: number
  readonly temporaryBytes: number
  readonly temporaryFolder: string
  readonly niceness: number
  readonly patienceMillis: number
  readonly waiting: number
  readonly waitingPerLane: number
}

const mebibyte = 1024 * 1024

/** What a pool is held to. */
export const limitsOf = (options: RunnerOptions): RunnerLimits => ({
  size: Math.max(1, options.size ?? Math.max(4, availableParallelism())),
  deadlineMillis: Duration.toMillis(options.deadline ?? Duration.seconds(15)),
  memoryBytes: options.memoryBytes ?? 320 * mebibyte,
  temporaryBytes: options.temporaryBytes ?? 256 * mebibyte,
  temporaryFolder: resolve(options.temporaryFolder ?? tmpdir()),
  niceness: options.niceness ?? 5,
  patienceMillis: Duration.toMillis(options.patience ?? Duration.seconds(5)),
  waiting: options.waiting ?? 256,
  waitingPerLane: options.waitingPerLane ?? 64
})
