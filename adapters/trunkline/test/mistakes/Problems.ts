import { createTrunkline } from "trunkline"
import { line, reminder } from "../Fixtures.js"

/** A value as a caller without types could give it. */
export const untyped = <A>(value: unknown): A => value as A

/** The message of a rejection. */
export const problemOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then((value) => `resolved with ${JSON.stringify(value)}`, (error: Error) => error.message)

/** The message of a start with these options. */
export const startOf = (options: object): Promise<string> =>
  problemOf(
    createTrunkline(untyped({ data: ":memory:", agents: [reminder], lines: [line], ...options }))
      .then((trunkline) => trunkline.close())
  ).then((text) => text.replace("createTrunkline: ", "").replace(/^resolved.*/, "started"))
