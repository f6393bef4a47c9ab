import type { SlowTool } from "./TestTypes.js"

/** A result of a tool that takes time. */
export class SlowAnswer implements SlowTool {
  constructor(readonly seconds: number, readonly answer: unknown) {}
}

/**
 * Makes a tool that answers after so many seconds of virtual time: with a value, or with the result of a function.
 *
 * @example
 * ```ts
 * testAgent(agent, { tools: { find_table: slowTool(8, "Table 4 is free") } })
 * ```
 */
export const slowTool = (seconds: number, answer: unknown): SlowTool => new SlowAnswer(seconds, answer)
