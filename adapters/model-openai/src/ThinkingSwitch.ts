import type { ModelFailure, ModelRequest } from "@trunkline/models"
import { Effect, Stream } from "effect"
import type { Capabilities, NoThinking } from "./Capabilities.js"

const templateSwitch: NoThinking = { chat_template_kwargs: { enable_thinking: false } }

/** What a server is asked with until it takes one: as servers of open models know it, as hosted ones do, nothing. */
const probes: readonly [NoThinking, ...ReadonlyArray<NoThinking>] = [templateSwitch, { reasoning_effort: "none" }, {}]

/** What keeps a model from thinking, by its capabilities; null where its server has to be probed. */
const saidBy = ({ effort, effortWords, noThinking }: Capabilities): NoThinking | null => {
  if (noThinking !== "probe") return noThinking ?? {}
  if (effort === "unsaid") return {}
  if (effort === "thinking_switch") return templateSwitch
  return effortWords.none === undefined ? null : { reasoning_effort: effortWords.none }
}

/** Asks in another way when the first one is refused and nothing was shown yet. */
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

/** Keeps models from thinking where a request wants that, each in the way that its server takes. */
export interface ThinkingSwitch {
  /** A whole answer; `ask` is given the fields that keep the model from thinking. */
  readonly whole: <A>(
    request: ModelRequest,
    ask: (noThinking: NoThinking) => Effect.Effect<A, ModelFailure>
  ) => Effect.Effect<A, ModelFailure>
  /** An answer piece by piece. */
  readonly streamed: <A>(
    request: ModelRequest,
    ask: (noThinking: NoThinking) => Stream.Stream<A, ModelFailure>
  ) => Stream.Stream<A, ModelFailure>
}

/**
 * A switch for the models of one server. Where nothing is said of a model, the server is probed: a request that it
 * refuses is sent in another way, and later ones in the way that it took.
 */
export const makeThinkingSwitch = (capabilitiesOf: (model: string) => Capabilities): ThinkingSwitch => {
  const taken = new Map<string, NoThinking>()

  const known = ({ effort, model }: ModelRequest): NoThinking | null =>
    effort === null ? saidBy(capabilitiesOf(model)) ?? taken.get(model) ?? null : {}

  const took = ({ model }: ModelRequest, probe: NoThinking) =>
    Effect.suspend(() => {
      const isFirst = !taken.has(model)
      taken.set(model, probe)
      return isFirst && Object.keys(probe).length === 0
        ? Effect.logWarning("The server of a model refuses every field that we know to keep it from thinking")
        : Effect.void
    })

  return {
    whole: (request, ask) => {
      const fields = known(request)
      if (fields !== null) return ask(fields)
      const probe = (fields: NoThinking) => Effect.tap(ask(fields), () => took(request, fields))
      const [first, ...others] = probes
      return others.reduce(
        (asked, fields) => Effect.catchTag(asked, "BadRequest", () => probe(fields)),
        probe(first)
      )
    },
    streamed: (request, ask) => {
      const fields = known(request)
      if (fields !== null) return ask(fields)
      const probe = (fields: NoThinking) => Stream.onEnd(ask(fields), took(request, fields))
      const [first, ...others] = probes
      return others.reduce((asked, fields) => orElse(asked, probe(fields)), probe(first))
    }
  }
}
