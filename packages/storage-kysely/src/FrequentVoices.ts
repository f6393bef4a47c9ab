import { VoiceId } from "@trunkline/kernel"
import { Voice, VoiceStore } from "@trunkline/speech"
import { DateTime, Effect } from "effect"

const account_id = "acme"

const voice = new Voice({
  voice_id: VoiceId.make("svc-00000000-0000-4000-8000-000000000000"),
  name: "Asha",
  language: "hi-IN",
  style: "conversational",
  gender: null,
  reference_text: "",
  reference_duration: 12,
  created_at: DateTime.unsafeMake("2026-01-01T00:00:00Z")
})

/** What is asked of voices all the time, by name and each once. */
export const frequentVoices: Readonly<Record<string, Effect.Effect<unknown, never, VoiceStore>>> = {
  "the life of a voice": Effect.flatMap(VoiceStore, (store) =>
    Effect.all([
      store.count(account_id),
      store.insert(account_id, voice, Uint8Array.of(1)),
      store.find(account_id, voice.voice_id),
      store.clip(account_id, voice.voice_id),
      store.remove(account_id, voice.voice_id)
    ])),
  "the newest voices": Effect.flatMap(
    VoiceStore,
    (store) => store.list(account_id, { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" })
  )
}
