import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import type { Agent } from "../api/types.js"
import { addressOf, navigate, place } from "../state/location.js"
import { canChange } from "../state/session.js"
import { Button } from "../ui/Button.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { Link } from "../ui/Link.js"
import { FailureNote } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { AgentPage } from "./AgentPage.js"
import { NewAgent } from "./NewAgent.js"

const AgentList = ({ agents }: { readonly agents: ReadonlyArray<Agent> }) => {
  if (agents.length === 0) {
    return <Card><Empty title="No agent yet"><p>Agents are defined in code, in the server's configuration, or here, with numbered versions.</p></Empty></Card>
  }
  return (
    <div class="grid">
      {agents.map(({ app_id, name, source, versions }) => (
        <Card key={app_id} title={<Link to={addressOf(["agents", app_id])}>{name ?? app_id}</Link>}>
          <dl class="facts">
            <dt>Id</dt><dd class="mono">{app_id}</dd>
            <dt>Defined in</dt><dd>{source === "code" ? "the server's code or configuration" : "this workspace"}</dd>
            <dt>Versions</dt><dd>{versions.map(({ app_version, committed }) => `${app_version}${committed ? "" : " (draft)"}`).join(", ")}</dd>
            <dt>Languages</dt><dd>{[...new Set(versions.flatMap(({ languages = [] }) => languages))].join(", ") || "–"}</dd>
          </dl>
        </Card>
      ))}
    </div>
  )
}

/** The agents of the workspace, or one of them, by the address. */
export const AgentPages = () => {
  const { reload, state } = useLoad(() => api().agents.list(), [])
  const { data, failure } = state.value
  const isAdding = useSignal(false)
  const [id] = place.value.parts
  const agent = data?.items.find(({ app_id }) => app_id === id)
  if (agent !== undefined) return <AgentPage key={agent.app_id} agent={agent} onChange={reload} />
  return (
    <>
      <PageHead title="Agents">
        {canChange.value && <Button kind="primary" icon="plus" onClick={() => (isAdding.value = true)}>New agent</Button>}
      </PageHead>
      {isAdding.value && <NewAgent onClose={() => (isAdding.value = false)} onDone={reload} />}
      <FailureNote failure={failure} onRetry={reload} />
      {data === undefined && failure === undefined && <Skeleton lines={4} />}
      {data && id !== undefined && (
        <Card><Empty title="There is no such agent"><button class="button" onClick={() => navigate(addressOf(["agents"]))}>All agents</button></Empty></Card>
      )}
      {data && id === undefined && <AgentList agents={data.items} />}
    </>
  )
}
