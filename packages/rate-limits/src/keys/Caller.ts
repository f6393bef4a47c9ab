import type { AccountId } from "../accounts/Account.js"
import type { Plan } from "../accounts/Plan.js"
import type { Feature, KeyId, KeyTerms } from "./ApiKey.js"

/** Who sent a request, after the key was found good. */
export interface Caller extends KeyTerms {
  readonly account_id: AccountId
  readonly plan: Plan
  readonly key_id: KeyId
}

/** Whether the caller's key opens a feature. */
export const hasFeature = (caller: Caller, feature: Feature): boolean => caller.features.includes(feature)

/** Whether the caller's key may use a model. */
export const mayUseModel = (caller: Caller, modelId: string): boolean => caller.models?.includes(modelId) ?? true
