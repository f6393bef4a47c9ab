import type { AgentVersion, Localized } from "@trunkline/agents"
import { templateVariables } from "@trunkline/kernel"
import type { CallBrief } from "@trunkline/telephony"
import { Effect } from "effect"

/** Most variables that are remembered as told. */
const maxTold = 10_000

const textsOf = (text: Localized | undefined): ReadonlyArray<string> =>
  text === undefined ? [] : typeof text === "string" ? [text] : Object.values(text)

/** Texts of a version in which variables are filled in. */
const templatesOf = (version: AgentVersion, brief: CallBrief): ReadonlyArray<string> => [
  ...textsOf(version.prompt),
  ...textsOf(version.first_message),
  ...textsOf(version.goodbye_message),
  ...textsOf(version.silence_prompt),
  ...textsOf(brief.app_overrides.initial_bot_message),
  ...(version.states ?? []).flatMap(({ prompt }) => textsOf(prompt)),
  ...(version.script ?? []).flatMap(({ say }) => textsOf(say))
]

/** Makes a function that warns of variables that calls lack: once for each variable of a version of an agent. */
export const makeLackingVariables = () => {
  const warnings = new Set<string>()
  return (version: AgentVersion, brief: CallBrief, lacking: ReadonlyArray<string>): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (lacking.length === 0) return Effect.void
      const agentVariables = new Set(templatesOf(version, brief).flatMap(templateVariables))
      const { app_id, app_version, attempt_id } = brief
      return Effect.forEach(lacking.filter((name) => agentVariables.has(name)), (name) => {
        const key = `${app_id} ${app_version} ${name}`
        if (warnings.has(key) || warnings.size >= maxTold) return Effect.void
        warnings.add(key)
        return Effect.logWarning(
          `A call of agent "${app_id}", version ${app_version}, has no variable "${name}", which its templates use: it is `
            + "left out. This is logged once."
        ).pipe(Effect.annotateLogs({ attempt_id }))
      }, { discard: true })
    })
}
