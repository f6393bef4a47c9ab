import { Clock, Effect } from "effect"
import { type ApiClient, type RequestFailed, sendFirst } from "./ApiClient.js"

/** The id by which the API of a line knows a call; asks for it where it was not told, and is null while nothing tells it. */
export const apiIdOf = (
  client: ApiClient,
  call_id: string,
  among: "live" | "all"
): Effect.Effect<string | null, RequestFailed> =>
  Effect.gen(function*() {
    const { lateIds } = client.line
    if (lateIds === undefined) return call_id
    for (const request of lateIds.requests(call_id, among, yield* Clock.currentTimeMillis)) {
      const response = yield* sendFirst(client, [request])
      if (response !== null) lateIds.learn(call_id, response.json)
      if (lateIds.of(call_id) !== null) break
    }
    return lateIds.of(call_id)
  })
