import type { ServiceUsage } from "@trunkline/kernel"
import { tokenUsage } from "@trunkline/models"
import type { RealtimeSettings } from "../RealtimeOptions.js"
import type { CountedUsage } from "./ServerEvents.js"

const tokensOf = ({ audioInput, audioOutput, cached, input, output }: CountedUsage) => ({
  inputTokens: input,
  cachedTokens: cached,
  outputTokens: output,
  reasoningTokens: 0,
  audioInputTokens: audioInput,
  audioOutputTokens: audioOutput
})

/** Use of the model by an answer. */
export const answerUsage = ({ model, provider }: RealtimeSettings, usage: CountedUsage): ReadonlyArray<ServiceUsage> =>
  tokenUsage({ provider, model }, tokensOf(usage))

/** Use of the model that writes down what callers say: seconds, or tokens, as the server counts. */
export const transcriptUsage = (
  { provider, transcription: model }: RealtimeSettings,
  usage: CountedUsage
): ReadonlyArray<ServiceUsage> => [
  { service: "transcriber", provider, model, unit: "second", quantity: usage.seconds },
  ...tokenUsage({ provider, model }, tokensOf(usage)).map((one): ServiceUsage => ({ ...one, service: "transcriber" }))
]
