import { Effect, Layer } from "effect"
import type { Fields } from "../../errors/Fields.js"
import { checkKnown, InvalidOption } from "../InvalidOption.js"
import { keyOf } from "../ModelLayer.js"
import type { OpenAiLiveOptions, OpenAiRealtimeOptions, ProvidedRealtime } from "./RealtimeOption.js"

const fields: Fields<OpenAiRealtimeOptions> = {
  apiKey: true,
  url: true,
  model: true,
  voice: true,
  transcription: true,
  turnDetection: true,
  silenceMillis: true,
  law: true,
  protocol: true
}

const liveFields: Fields<OpenAiLiveOptions> = { apiKey: true, url: true, model: true, voice: true, law: true }

/** Models of options that name none. */
export const defaultRealtimeModels = { openai: "gpt-realtime-2.1", openai_live: "gpt-live-1.1" } as const

/** Values of the options that have a few. */
const choices = {
  turnDetection: ["server_vad", "semantic_vad"],
  law: ["mulaw", "alaw"],
  protocol: ["ga", "beta"]
} as const

/** A field of a realtime model that cannot be used. */
export interface RealtimeProblem {
  readonly field: keyof OpenAiRealtimeOptions
  /** The fault, as the end of a sentence. */
  readonly message: string
}

const isSocketUrl = (url: string): boolean =>
  URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol) && new URL(url).username === "" &&
  new URL(url).password === ""

const isText = (value: unknown): boolean => value === undefined || typeof value === "string" && value !== ""

/** Problems with the options of a realtime model. */
export const realtimeProblems = (options: OpenAiRealtimeOptions): ReadonlyArray<RealtimeProblem> => {
  const { apiKey, silenceMillis, turnDetection, url } = options
  const problems: Array<RealtimeProblem> = []
  if (url !== undefined && !isSocketUrl(url)) {
    problems.push({ field: "url", message: "must be a wss:// or ws:// URL without user and password" })
  } else if (!apiKey && (url === undefined || new URL(url).hostname === "api.openai.com")) {
    problems.push({
      field: "apiKey",
      message: "openai needs an apiKey: set OPENAI_API_KEY, and pass process.env.OPENAI_API_KEY"
    })
  }
  for (const field of ["model", "voice", "transcription"] as const) {
    if (!isText(options[field])) problems.push({ field, message: "must be a text" })
  }
  for (const field of ["turnDetection", "law", "protocol"] as const) {
    const value = options[field]
    if (value !== undefined && !choices[field].some((choice) => choice === value)) {
      problems.push({ field, message: `must be one of ${choices[field].join(", ")}` })
    }
  }
  if (silenceMillis !== undefined) {
    const isFine = Number.isInteger(silenceMillis) && silenceMillis >= 100 && silenceMillis <= 5_000
    if (!isFine) {
      problems.push({ field: "silenceMillis", message: "must be a whole number of milliseconds from 100 to 5,000" })
    } else if (turnDetection === "semantic_vad") {
      problems.push({ field: "silenceMillis", message: "goes with server_vad only" })
    }
  }
  return problems
}

/** The layer of sound options; its package is loaded only here. Its address is the host's own, so it may be a private one. */
const openAiRealtimeLayer = (options: OpenAiRealtimeOptions): Layer.Layer<never> => {
  const { apiKey, law, model, protocol, silenceMillis, transcription, turnDetection: type = "server_vad", url, voice } =
    options
  return Layer.unwrapEffect(
    Effect.map(Effect.promise(() => import("@trunkline/model-realtime")), ({ ModelRealtime }) =>
      ModelRealtime.layer({
        allowInsecureUrls: true,
        allowPrivateUrls: true,
        turnDetection: { type, ...(silenceMillis !== undefined && { silenceMillis }) },
        ...keyOf(apiKey),
        ...(url !== undefined && { url }),
        ...(model !== undefined && { model }),
        ...(voice !== undefined && { voice }),
        ...(transcription !== undefined && { transcription }),
        ...(law !== undefined && { law }),
        ...(protocol !== undefined && { protocol })
      }))
  )
}

/** The layer of sound options of a model that talks by itself; its package is loaded only here. */
const openAiLiveLayer = ({ apiKey, law, model, url, voice }: OpenAiLiveOptions): Layer.Layer<never> =>
  Layer.unwrapEffect(
    Effect.map(Effect.promise(() => import("@trunkline/model-realtime")), ({ ModelLive }) =>
      ModelLive.layer({
        allowInsecureUrls: true,
        allowPrivateUrls: true,
        ...keyOf(apiKey),
        ...(url !== undefined && { url }),
        ...(model !== undefined && { model }),
        ...(voice !== undefined && { voice }),
        ...(law !== undefined && { law })
      }))
  )

/** The layer of a model that hears and speaks, whose options are sound. */
export const soundRealtimeLayer = (realtime: ProvidedRealtime): Layer.Layer<never> =>
  realtime.provider === "openai" ? openAiRealtimeLayer(realtime.options) : openAiLiveLayer(realtime.options)

/** The layer of a model that hears and speaks. Throws `InvalidOption`. */
export const realtimeLayer = (realtime: ProvidedRealtime): Layer.Layer<never> => {
  const { options, provider } = realtime
  if (provider !== "openai" && provider !== "openai_live") {
    throw new InvalidOption("realtime", `there is no provider "${String(provider)}"; there are openai and openai_live`)
  }
  if (realtime.provider === "openai") checkKnown(realtime.options, fields, "realtime")
  else checkKnown(realtime.options, liveFields, "realtime")
  const [problem] = realtimeProblems(options)
  if (problem !== undefined) throw new InvalidOption(`realtime.${problem.field}`, problem.message)
  return soundRealtimeLayer(realtime)
}
