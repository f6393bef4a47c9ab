import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createTrunkline, type Trunkline, type TrunklineOptions } from "trunkline"

/** A line of the simulated network. */
export const line = { connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }

/** An agent that greets. */
export const reminder = { app_id: "reminder", first_message: "Hello {{name}}" }

/** A call to somebody who answers. */
export const call = { agent: "reminder", to: "+919876543210", variables: { name: "Asha" } }

/** Runs with an engine of these options at 250 times real speed, and closes it. So a call may last 14 s also on a busy machine. */
export const withTrunkline = async <A>(
  options: Partial<TrunklineOptions>,
  use: (trunkline: Trunkline) => Promise<A>
): Promise<A> => {
  const trunkline = await createTrunkline({
    data: ":memory:",
    agents: [reminder],
    lines: [line],
    simulator: { speed: 250 },
    ...options
  })
  try {
    return await use(trunkline)
  } finally {
    await trunkline.close()
  }
}

/** Runs with the path of a folder that is removed afterwards. */
export const withFolder = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-"))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** All items of an iterable. */
export const collect = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const item of items) all.push(item)
  return all
}

/** A promise that is resolved from outside. */
export const later = <A>(): { readonly promise: Promise<A>; readonly resolve: (value: A) => void } => {
  const resolvers: Array<(value: A) => void> = []
  const promise = new Promise<A>((resolve) => resolvers.push(resolve))
  return { promise, resolve: (value) => resolvers.forEach((resolve) => resolve(value)) }
}
