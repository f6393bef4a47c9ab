import { OrgId, Scope, VoiceId, WorkspaceId } from "@trunkline/kernel"
import {
  AccountId,
  AccountStore,
  BucketStore,
  CreditLedger,
  KeyId,
  KeyStore,
  SlotStore,
  type UsageLine
} from "@trunkline/rate-limits"
import { Voice, VoiceStore } from "@trunkline/speech"
import { DateTime, Effect } from "effect"
import type { LimitStores } from "../../accounts/LimitsSql.js"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const account_id = AccountId.make("acme")
const key_id = KeyId.make("demo")
const request_id = "request"
const bucket = { owner: account_id, name: "chat", interval: 1_000_000, burst: 60 }
const slot = { owner: account_id, name: "calls_live", holder: "call" }

const usage: UsageLine = {
  account_id,
  key_id,
  day: "2026-01-01",
  api: "chat",
  requests: 1,
  units: { input_token: 1 },
  cost: 1,
  charged: 1
}

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

/** The frequent queries of accounts: keys, limits, credits and voices, by name. */
export const accountQueries: Readonly<
  Record<string, Effect.Effect<unknown, never, AccountStore | CreditLedger | KeyStore | LimitStores | VoiceStore>>
> = {
  "a key and its account": Effect.flatMap(KeyStore, (store) => store.findByPublicId(key_id)).pipe(
    Effect.zip(Effect.flatMap(AccountStore, (store) => store.findAccount(account_id))),
    Effect.zip(Effect.flatMap(AccountStore, (store) => store.findWorkspace(scope)))
  ),
  "the keys of an account": Effect.flatMap(KeyStore, (store) => store.list(account_id)),
  "the workspaces of an account": Effect.flatMap(AccountStore, (store) => store.workspacesOf(account_id)),
  "a request's allowance": Effect.flatMap(BucketStore, (store) => store.take([bucket], 1)),
  "a request's allowances": Effect.flatMap(
    BucketStore,
    (store) => store.take([bucket, { ...bucket, name: "chat_core" }], 1)
  ),
  "the life of a connection": Effect.flatMap(SlotStore, (store) =>
    Effect.all([
      store.hold(slot, { limit: 20, ttl: 30_000 }),
      store.hold(slot, { limit: 20, ttl: 30_000 }),
      store.countHeld(slot),
      store.release(slot)
    ])),
  "a payment": Effect.flatMap(CreditLedger, (ledger) =>
    Effect.all([
      ledger.deleteExpired(0),
      ledger.balance(account_id),
      ledger.reserved({ account_id }),
      ledger.reserved({ account_id, key_id }),
      ledger.putReservation({ request_id, account_id, key_id, api: "chat", amount: 1, expires_at: 0 }),
      ledger.findReservation(request_id),
      ledger.append({ reference: `usage:${request_id}`, account_id, kind: "usage", amount: -1, at: 0 }),
      ledger.addUsage(usage),
      ledger.addUsage(usage),
      ledger.deleteReservation(request_id)
    ])),
  "the newest entries of a ledger": Effect.flatMap(CreditLedger, (ledger) => ledger.entries(account_id, 100)),
  "the usage of a month": Effect.flatMap(
    CreditLedger,
    (ledger) => ledger.usage({ account_id, from: "2026-01-01", to: "2026-01-31" })
  ),
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
