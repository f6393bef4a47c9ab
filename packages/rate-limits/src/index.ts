export { Entropy } from "@trunkline/kernel"
export { Accounts } from "./Accounts.js"
export { Account, AccountId, AccountStore, Plan, Workspace } from "./accounts/AccountStore.js"
export type { Payer } from "./credits/Coverage.js"
export {
  CreditLedger,
  type LedgerEntry,
  type Reservation,
  type UsageLine,
  type UsageQuery
} from "./credits/CreditLedger.js"
export {
  type Charge,
  type ChargeSettlement,
  type CreditBalance,
  Credits,
  type CreditsOptions
} from "./credits/Credits.js"
export { KeyBudget } from "./credits/KeyBudget.js"
export {
  microCreditsPerCredit,
  type Price,
  priceOf,
  type PriceTable,
  priceTable,
  type Unit,
  type Units
} from "./credits/PriceTable.js"
export {
  ApiKey,
  Feature,
  hasFeature,
  KeyEnvironment,
  KeyId,
  keyIdOf,
  KeyTerms,
  KeyText,
  keyText,
  mayUseModel,
  presentedKey,
  type PresentedKeys,
  type Principal,
  type RouteFamily
} from "./keys/ApiKey.js"
export { Keys } from "./keys/Keys.js"
export { KeyStore } from "./keys/KeyStore.js"
export type { ChosenKey, CreatedKey } from "./keys/KeyWrites.js"
export { type Buckets, BucketStore } from "./limits/BucketStore.js"
export type { LimitSubject } from "./limits/Families.js"
export {
  type Bucket,
  intervalOf,
  type Level,
  takeFrom,
  takeFromAll,
  type TakeRequest,
  type TakeResult
} from "./limits/Gcra.js"
export { LimitLevels } from "./limits/LimitLevels.js"
export {
  type Allowance,
  type LimitedApi,
  type LimitedConnection,
  type PlanLimits,
  type PlanTable,
  planTable,
  type SharedBy
} from "./limits/PlanTable.js"
export { type ConnectionRequest, type LimitedRequest, RateLimits, type RateLimitsOptions } from "./limits/RateLimits.js"
export { type Slot, SlotStore } from "./limits/SlotStore.js"
export { type Importance, Load, type LoadLimits } from "./load/Load.js"
