import type { ProviderPriceTable } from "@trunkline/kernel"
import { aura } from "./Aura.js"
import { cartesia } from "./Cartesia.js"
import { elevenLabs } from "./ElevenLabs.js"
import { kokoro, openAiVoices, piper } from "./OpenAiVoices.js"
import { sarvam } from "./Sarvam.js"
import type { VoiceProvider } from "./VoiceProvider.js"

/** Names of the providers of voices. */
export const voiceProviderNames = ["elevenlabs", "cartesia", "sarvam", "openai", "deepgram", "kokoro", "piper"] as const
export type VoiceProviderName = typeof voiceProviderNames[number]

/** The providers of voices by name. */
export const voiceProviders: Readonly<Record<VoiceProviderName, VoiceProvider>> = {
  elevenlabs: elevenLabs,
  cartesia,
  sarvam,
  openai: openAiVoices,
  deepgram: aura,
  kokoro,
  piper
}

/** Public prices of all voices here. */
export const voicePrices: ProviderPriceTable = Object.values(voiceProviders).flatMap(({ prices }) => prices)
