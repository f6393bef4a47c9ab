import { eventsOf } from "./Events.js"
import type { LiveEvent } from "./generated/Types.js"
import { type InvokeOptions, readOptions, streamed } from "./Invocation.js"
import type { CallOptions } from "./Results.js"
import { pathOfWorkspace } from "./Workspace.js"

/** Events of the calls of a workspace, from now on. Leaving the loop or aborting unsubscribes. */
export type Live = (options?: CallOptions & LiveOptions) => AsyncIterable<LiveEvent>

interface LiveOptions {
  /** Id of a campaign, for the events of its calls only. */
  readonly campaign?: string
  /** True to begin with an `attempt.ongoing` for each call that goes on, with what was said so far; the newest 500. */
  readonly ongoing?: boolean
}

/** Makes the subscription to live events, which begins with its loop. */
export const makeLive = ({ baseUrl, transport, workspace }: InvokeOptions): Live => (options = {}) => {
  async function* events(): AsyncGenerator<LiveEvent> {
    readOptions(options, ["workspace", "signal", "timeout", "campaign", "ongoing"])
    const { campaign, ongoing, signal, timeout } = options
    const { org, workspace: name } = pathOfWorkspace(options.workspace ?? workspace)
    const query = String(
      new URLSearchParams({
        ...(campaign !== undefined && { campaign_id: campaign }),
        ...(ongoing === true && { ongoing: "true" })
      })
    )
    const search = query === "" ? "" : `?${query}`
    try {
      const answer = await transport.send({
        method: "GET",
        url: `${baseUrl}/v1/orgs/${org}/workspaces/${name}/calls/live${search}`,
        body: undefined,
        signal,
        timeout
      })
      yield* streamed(answer, eventsOf(answer.response)) as AsyncGenerator<LiveEvent>
    } catch (error) {
      // A signal ends the loop, as leaving it does.
      if (signal?.aborted !== true) throw error
    }
  }
  return events()
}
