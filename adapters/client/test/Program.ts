import { createClient, type Resources, type TrunklineClient } from "@trunkline/client"
import { createTrunkline, type Trunkline } from "trunkline"

/** A phone line of the simulated network. */
const line = { connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }

/** Methods that an engine in this process and a client have in common. */
export type Either =
  & Omit<Resources, "chat" | "responses" | "voices">
  & Pick<Trunkline, "live">
  & {
    readonly calls: {
      create(call: Parameters<TrunklineClient["calls"]["create"]>[0]): Promise<{
        readonly attempt_id: string
        readonly ended: Promise<{ readonly completion_status: string; readonly app_version: number }>
      }>
    }
  }

/** Runs with an engine at 250 times real speed, and with a client of the same engine over HTTP. */
export const withBoth = async <A>(
  use: (both: { readonly engine: Trunkline; readonly client: TrunklineClient; readonly url: string }) => Promise<A>
): Promise<A> => {
  const engine = await createTrunkline({
    data: ":memory:",
    agents: [{ app_id: "reminder", first_message: "Hello {{name}}" }],
    lines: [line],
    simulator: { speed: 250 }
  })
  try {
    const { url } = await engine.listen({ port: 0, host: "127.0.0.1" })
    const { key } = await engine.keys.create({ features: ["beta"] })
    return await use({ engine, client: createClient({ baseUrl: url, apiKey: key }), url })
  } finally {
    await engine.close()
  }
}

/** All items of an iterable. */
export const collect = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const item of items) all.push(item)
  return all
}

const hour = 3_600_000

/** The body of a campaign that may call at any time. */
export const campaignBody = (name: string) => {
  const now = Date.now()
  return {
    name,
    app_config: {
      app_id: "reminder",
      app_version: 1,
      connection_configs: [{ connection_id: "line", phone_numbers: line.phone_numbers }]
    },
    start_timestamp: new Date(now - hour),
    end_timestamp: new Date(now + 24_000 * hour),
    allowed_schedule: {
      allowed_start_time: "00:00",
      allowed_end_time: "24:00",
      allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const
    }
  }
}
