import type { ModelFailure, ModelRequest } from "@trunkline/models"
import { Effect, Stream } from "effect"
import type { Capabilities, NoThinking } from "./Capabilities.js"

const templateSwitch: NoThinking = { chat_template_kwargs: { enable_thinking: false } }

/** Fields tried until the server accepts one: those of servers for open models, of hosted ones, and none. */
const probes: readonly [NoThinking, ...ReadonlyArray<NoThinking>] = [templateSwitch, { reasoning_effort: "none" }, {}]

/** Returns the fields that disable thinking by a model's capabilities; null if its server has to be probed. */
const configuredFields = ({ effort, effortWords, noThinking }: Capabilities): NoThinking | null => {
  if (noThinking !== "probe") return noThinking ?? {}
  if (effort === "unsaid") return {}
  if (effort === "thinking_switch") return templateSwitch
  return effortWords.none === undefined ? null : { reasoning_effort: effortWords.none }
}

/** Falls back to another stream if the first one is rejected before it emits anything. */
const orElse = <A>(
  first: Stream.Stream<A, ModelFailure>,
  other: Stream.Stream<A, ModelFailure>
): Stream.Stream<A, ModelFailure> =>
  Stream.suspend(() => {
    let isShown = false
    return first.pipe(
      Stream.mapChunks((chunk) => {
        isShown = true
        return chunk
      }),
      Stream.catchTag("BadRequest", (refusal) => isShown ? Stream.fail(refusal) : other)
    )
  })

/** Disables thinking for requests that ask for it, in the way that the server accepts. */
export interface ThinkingSwitch {
  /** Gets a whole answer; `ask` receives the fields that disable thinking. */
  readonly whole: <A>(
    request: ModelRequest,
    ask: (noThinking: NoThinking) => Effect.Effect<A, ModelFailure>
  ) => Effect.Effect<A, ModelFailure>
  /** Gets a streamed answer. */
  readonly streamed: <A>(
    request: ModelRequest,
    ask: (noThinking: NoThinking) => Stream.Stream<A, ModelFailure>
  ) => Stream.Stream<A, ModelFailure>
}

/**
 * Makes the switch for the models of one server. Unless the capabilities of a model say how, the server is probed: a
 * rejected request is sent again with other fields, and later requests with the fields that were accepted.
 */
export const makeThinkingSwitch = (capabilitiesOf: (model: string) => Capabilities): ThinkingSwitch => {
  const acceptedSwitches = new Map<string, NoThinking>()

  const knownFields = ({ effort, model }: ModelRequest): NoThinking | null =>
    effort === null ? configuredFields(capabilitiesOf(model)) ?? acceptedSwitches.get(model) ?? null : {}

  const accept = ({ model }: ModelRequest, probe: NoThinking) =>
    Effect.suspend(() => {
      const isFirst = !acceptedSwitches.has(model)
      acceptedSwitches.set(model, probe)
      return isFirst && Object.keys(probe).length === 0
        ? Effect.logWarning("The server of a model rejects every knownFields field that disables thinking")
        : Effect.void
    })

  return {
    whole: (request, ask) => {
      const fields = knownFields(request)
      if (fields !== null) return ask(fields)
      const probe = (fields: NoThinking) => Effect.tap(ask(fields), () => accept(request, fields))
      const [first, ...others] = probes
      return others.reduce(
        (attempt, fields) => Effect.catchTag(attempt, "BadRequest", () => probe(fields)),
        probe(first)
      )
    },
    streamed: (request, ask) => {
      const fields = knownFields(request)
      if (fields !== null) return ask(fields)
      const probe = (fields: NoThinking) => Stream.onEnd(ask(fields), accept(request, fields))
      const [first, ...others] = probes
      return others.reduce((attempt, fields) => orElse(attempt, probe(fields)), probe(first))
    }
  }
}
