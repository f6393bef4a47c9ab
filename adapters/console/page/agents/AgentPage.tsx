import type { Agent, AgentVersion } from "../api/types.js"
import { addressOf, place, setQuery } from "../state/location.js"
import { canChange } from "../state/session.js"
import { Badge } from "../ui/Badge.js"
import { Card } from "../ui/Card.js"
import { Link } from "../ui/Link.js"
import { PageHead } from "../ui/PageHead.js"
import { presentTab, Tabs } from "../ui/Tabs.js"
import { textOf as definitionText } from "./definition.js"
import { DefinitionEditor } from "./DefinitionEditor.js"
import { differenceOf, type ShownLine, shortOf } from "./difference.js"
import { StateGraph } from "./StateGraph.js"
import { TalkTab } from "./TalkTab.js"
import { VoiceTab } from "./VoiceTab.js"

const tabsOf = ({ source }: Agent) => [
  { id: "definition", title: "Definition" },
  ...(canChange.peek() && source === "workspace" ? [{ id: "edit", title: "Edit" }] : []),
  { id: "states", title: "States" },
  { id: "differences", title: "Differences" },
  ...(canChange.peek() ? [{ id: "talk", title: "Talk" }, { id: "voice", title: "Talk by voice" }] : [])
]

const textOf = (value: string | Readonly<Record<string, string>> | undefined) =>
  value === undefined ? "–" : typeof value === "string" ? value : Object.entries(value).map(([language, text]) => `${language}: ${text}`).join("\n")

const Definition = ({ app, version }: { readonly app: string; readonly version: AgentVersion }) => (
  <div class="stack">
    <Card title="Prompt">
      {version.prompt === undefined && version.script !== undefined
        ? (
          <div class="tight">
            <p>It follows a script, without a model.</p>
            <Link to={addressOf(["agents", app], { tab: "states", version: String(version.app_version) })}>See its states</Link>
          </div>
        )
        : <pre class="code" tabIndex={0}>{version.prompt ?? "–"}</pre>}
    </Card>
    <div class="grid pair">
      <Card title="Says">
        <dl class="facts">
          <dt>First</dt><dd style={{ whiteSpace: "pre-line" }}>{textOf(version.first_message)}</dd>
          <dt>Goodbye</dt><dd style={{ whiteSpace: "pre-line" }}>{textOf(version.goodbye_message)}</dd>
          <dt>On silence</dt><dd style={{ whiteSpace: "pre-line" }}>{textOf(version.silence_prompt)}</dd>
          <dt>Languages</dt><dd>{version.languages?.join(", ") ?? "–"}</dd>
          <dt>Model</dt><dd>{version.model ?? "that of the server"}</dd>
        </dl>
      </Card>
      <Card title="Variables">
        <dl class="facts">
          <dt>Given</dt><dd class="mono">{version.variables?.join(", ") ?? "any"}</dd>
          <dt>Collected</dt>
          <dd>
            {(version.output_variables ?? []).map(({ description, name, required, type }) => (
              <div key={name}>
                <span class="mono">{name}</span>{type && ` ${type}`}{required ? " (required)" : ""} <span class="muted small">{description}</span>
              </div>
            ))}
            {(version.output_variables ?? []).length === 0 && "none"}
          </dd>
          {version.after_call && (
            <>
              <dt>After calls</dt>
              <dd>{[...(version.after_call.summary ? ["a summary"] : []), ...(version.after_call.extract ? ["collected variables"] : [])].join(", ")}</dd>
            </>
          )}
        </dl>
      </Card>
      <Card title="Tools">
        {(version.tools ?? []).length === 0 && <p class="muted">None.</p>}
        <ul class="tight">{(version.tools ?? []).map(({ description, name }) => <li key={name}><b class="mono">{name}</b> <span class="muted">{description}</span></li>)}</ul>
      </Card>
    </div>
  </div>
)

const asText = (version: AgentVersion | undefined) => {
  if (version === undefined) return ""
  return definitionText(version).replaceAll("\\n", "\n")
}

const marks = { "added": "+ ", "removed": "- ", "same": "  ", "left out": "… " }

const Differences = ({ lines }: { readonly lines: ReadonlyArray<ShownLine> }) =>
  lines.length === 0 ? <p class="muted">Both say and do the same.</p> : (
    <div class="difference" tabIndex={0} role="region" aria-label="Differences">
      {lines.map(({ kind, text }, index) => (
        <span key={index} class={kind === "left out" ? "same" : kind}>{marks[kind]}{text}{kind === "left out" && " that are the same"}</span>
      ))}
    </div>
  )

/** A version of an agent: what it says and does, its states as a drawing, and what differs from another version. */
export const AgentPage = ({ agent, onChange }: { readonly agent: Agent; readonly onChange: () => void }) => {
  const tabs = tabsOf(agent)
  const versions = [...agent.versions].sort((a, b) => b.app_version - a.app_version)
  const requestedVersion = Number(place.value.query.get("version"))
  const version = versions.find(({ app_version }) => app_version === requestedVersion) ?? versions[0]
  const than = Number(place.value.query.get("than"))
  const other = versions.find(({ app_version }) => app_version === than) ?? versions.find((each) => each.app_version < (version?.app_version ?? 0))
  const tab = presentTab(tabs)
  const choose = (label: string, name: string, value: number | undefined) => (
    <select class="input" style={{ width: "auto" }} aria-label={label} value={value} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
      {versions.map(({ app_version, committed }) => <option key={app_version} value={app_version}>Version {app_version}{committed ? "" : " (draft)"}</option>)}
    </select>
  )
  return (
    <>
      <PageHead
        title={agent.name ?? agent.app_id}
        crumb={<Link to={addressOf(["agents"])}>Agents</Link>}
        badge={version && <Badge code={version.committed ? "committed" : "draft"} />}
      >
        {choose("Version", "version", version?.app_version)}
      </PageHead>
      <Tabs tabs={tabs} at={["agents", agent.app_id]} />
      {version && tab === "definition" && <Definition app={agent.app_id} version={version} />}
      {version && tab === "edit" && (
        <DefinitionEditor key={`${version.app_version} ${version.revision}`} app={agent.app_id} version={version} onChange={onChange} />
      )}
      {version && tab === "talk" && <TalkTab key={version.app_version} app={agent.app_id} version={version} />}
      {version && tab === "voice" && <VoiceTab key={version.app_version} app={agent.app_id} version={version} />}
      {version && tab === "states" && <Card title="States"><StateGraph version={version} /></Card>}
      {version && tab === "differences" && (
        <Card
          title={versions.length === 1 ? "Differences" : `Version ${version.app_version} against`}
          actions={versions.length > 1 && choose("Other version", "than", other?.app_version)}
        >
          {other === undefined
            ? <p class="muted">{versions.length === 1 ? "There is one version only. A second one can be compared with it here." : "This is the first version. Choose one to compare it with."}</p>
            : <Differences lines={shortOf(differenceOf(asText(other), asText(version)))} />}
        </Card>
      )}
    </>
  )
}
