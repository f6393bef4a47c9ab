export { AllowedSchedule, dialWindow } from "./campaign/AllowedSchedule.js"
export {
  AppConfig,
  Campaign,
  CampaignAction,
  CampaignDetail,
  campaignDetailOf,
  CampaignMetadata,
  campaignMetadataOf,
  CampaignStatus,
  CreateCampaign,
  defaultAttemptsPerSecond,
  DialLine,
  isFinalStatus,
  PatchCampaign
} from "./campaign/Campaign.js"
export {
  type BudgetFacts,
  budgetFactsOf,
  callsWithin,
  CampaignBudget,
  type CampaignSpend,
  noSpend
} from "./campaign/CampaignBudget.js"
export { CampaignLimits, Campaigns } from "./campaign/Campaigns.js"
export { CampaignSignals } from "./campaign/CampaignSignals.js"
export { addCost, type CampaignCallCost, CampaignSpending } from "./campaign/CampaignSpending.js"
export { campaignColumns, campaignSortable, CampaignStore, type OwnedCampaign } from "./campaign/CampaignStore.js"
export { Canaries } from "./campaign/Canaries.js"
export { canaryEndedOf, CanaryListener, type EndedCanary } from "./campaign/CanaryEnds.js"
export { noRetries, RetryConfig, type RetryCounter, type RetryCounters } from "./campaign/RetryPolicy.js"
export { RingingCalls } from "./campaign/RingingCalls.js"
export { Canary, CanaryAction, CanaryMetric, CanaryRecord, CanarySettings, CanaryStatus } from "./canary/Canary.js"
export { CanaryCounts, type MeasuredCall } from "./canary/CanaryCounts.js"
export { type ArmCounts, type CanaryFigures, noFigures } from "./canary/Evidence.js"
export { AttemptOutcome, noOutcomes, type OutcomeCounts } from "./contacts/AttemptOutcome.js"
export {
  type CohortContact,
  type Contact,
  type ContactCounts,
  type ContactListing,
  ContactState,
  LastOutcome,
  newContact,
  type SeatedContact
} from "./contacts/Contact.js"
export {
  ContactPage,
  ContactQuery,
  ContactRecord,
  DecisionRecord,
  defaultContacts,
  maxContacts
} from "./contacts/ContactRecord.js"
export type { CampaignClaims, Claim, Deferral, Settlement } from "./contacts/ContactTransitions.js"
export {
  allow,
  ContactReason,
  contactReasons,
  explain,
  GateReason,
  type GateResult,
  GateVerdict,
  hold,
  refuse
} from "./contacts/GateResult.js"
export { CampaignCalls } from "./dispatch/CampaignCalls.js"
export { batchStep, contactStep } from "./dispatch/ClaimSteps.js"
export { Dialler, type DialRound } from "./dispatch/Dialler.js"
export { callerNumber, countDial, type DialTally, lineBlocker, linesToTry } from "./dispatch/DialLines.js"
export { afterDial, initialPace, type Pace, paceAt, paceOnLines } from "./dispatch/Pace.js"
export { Enrolment } from "./enrolment/Enrolment.js"
export {
  type Blocker,
  CampaignDialLimits,
  type DialLimits,
  type LineBlocker,
  type LineStatus,
  noLimits
} from "./gate/Blocker.js"
export { dayStart } from "./gate/ContactChecks.js"
export { decide } from "./gate/Decide.js"
export { DailyCap, Gate, type GateCheck, type GateContact } from "./gate/Gate.js"
export { CampaignContacts } from "./progress/CampaignContacts.js"
export { CampaignProgress } from "./progress/CampaignProgress.js"
export { LineRecord, ProgressRecord } from "./progress/ProgressRecord.js"
export { concludeAttempt, type Conclusion } from "./retry/Conclusion.js"
export { campaignFaults, CampaignRunner } from "./runner/CampaignRunner.js"
export { type CampaignTurn, CampaignTurns, turnTopic } from "./runner/CampaignTurns.js"
export { CampaignWorker, EndWhenExhausted, shortRestMillis } from "./runner/CampaignWorker.js"
export { type CampaignFacts, type CampaignStep, nextStep } from "./runner/NextStep.js"
export { makeOldestDue } from "./runner/OldestDue.js"
export { arrivingContact, BulkEnrolment, type BulkStep } from "./store/BulkEnrolment.js"
export { ContactStore } from "./store/ContactStore.js"
export { DialLog } from "./store/DialLog.js"
export { DialQueue } from "./store/DialQueue.js"
export { DispatchStores } from "./store/DispatchStores.js"
export type { DialMinute, DispatchTotals } from "./store/DispatchTotals.js"
export { DueQueue, type QueueItem } from "./store/memory/DueQueue.js"
export { Roster, type RosterCursor, type RosterEntry, type StopEntry } from "./store/Roster.js"
