export { type Announcement, readAnnouncement } from "./announcements/Announcement.js"
export { AnnouncementEar, hearAnnouncement } from "./announcements/AnnouncementEar.js"
export { type EarlySound, makeEarlySound } from "./announcements/EarlySound.js"
export { type AnswerDetector, makeAnswerDetector } from "./answering/AnswerDetector.js"
export { type GreetingMeaning, readGreeting } from "./answering/ReadGreeting.js"
export { type AttemptEnd, AttemptListener, Attempts, type EndingAttempt } from "./attempts/Attempts.js"
export { type Acceptance, AttemptStore, type EndedResult, type OpenAttempt } from "./attempts/AttemptStore.js"
export { blockedNumber, BlockedNumbers } from "./blocked/BlockedNumbers.js"
export { BlockedNumber, BlockedNumbersStore, BlockNumbers } from "./blocked/BlockedNumbersStore.js"
export { afterMessage, AnswerHandling } from "./call/AnswerHandling.js"
export { type AnswerSense, isNobody, verdictWords } from "./call/AnswerVerdict.js"
export { Attempt, AttemptResult, AttemptState, Interaction } from "./call/Attempt.js"
export { type AudioLine, isAudioLine, type LineEvent, type SoundTap } from "./call/AudioLine.js"
export {
  AppOverrides,
  type CallBrief,
  CallFault,
  CallHandler,
  CallReport,
  HandedOver,
  ToolUseOutcome,
  TranscriptTurn,
  TurnTimings
} from "./call/CallHandler.js"
export type { BegunUtterance, CallLog, LegContinuity, ResumePlace } from "./call/CallLog.js"
export { countEnd } from "./call/CallMeters.js"
export {
  type CallOutcome,
  type Connected,
  durationSeconds,
  type NotConnected,
  notConnected,
  type OutcomeSummary,
  type Placement,
  type PlaceOptions,
  type Recovered,
  type RecoverOptions,
  summarizeOutcome
} from "./call/CallOutcome.js"
export { noRecording, type RecordingControl, RecordingResult, unrecorded } from "./call/CallRecording.js"
export { type CallProgress, CallWatch } from "./call/CallWatch.js"
export { joinLines } from "./call/JoinLines.js"
export { sendKeys } from "./call/Keys.js"
export {
  EndedBy,
  type Heard,
  type Leg,
  LegEnded,
  type LineTrouble,
  type OwnReply,
  type SpeakingAgent,
  type Spoken,
  type Utterance
} from "./call/Leg.js"
export { ModelInput } from "./call/ModelInput.js"
export { AppOverridesInput, CreateOutbound, DialledNumber, OutboundStarted } from "./call/Outbound.js"
export {
  cannotTransfer,
  type ReferRequest,
  type ReferResult,
  type SpokenText,
  TransferKind,
  TransferOutcome,
  TransferRecord,
  type TransferRequest,
  type TransferResult
} from "./call/Transfer.js"
export { WhoAnswered } from "./call/WhoAnswered.js"
export { type CallLimits, CallLimitsOption } from "./calls/CallLimits.js"
export { callFaultPoints, Calls } from "./calls/Calls.js"
export { DialLease } from "./calls/DialLease.js"
export { HangUp, HangUps } from "./calls/HangUps.js"
export { CallRegistry, LiveCalls } from "./calls/LiveCalls.js"
export { OngoingCalls, type OngoingSnapshot } from "./calls/OngoingCalls.js"
export { Reaper } from "./calls/Reaper.js"
export { Voicing } from "./calls/Voicing.js"
export { type BrowserLine, BrowserLines, type BrowserRefusal } from "./carriers/BrowserLines.js"
export {
  type CallLookup,
  type CallNumbers,
  type CallStatus,
  type Carrier,
  type CarrierLineState,
  Carriers,
  type Dedupe,
  defaultSettle,
  DialFailed,
  type DialPlan,
  type InboundOffer,
  type ListedCall,
  LookupFailed,
  NotAnswered,
  type PlacedCall,
  unknownLineState
} from "./carriers/Carrier.js"
export { Connection, Connections, decodeOptions } from "./carriers/Connection.js"
export { EventRefused, type EventReply, type EventRequest, type EventsRead } from "./carriers/EventRequest.js"
export {
  type FrameEvent,
  type FrameInbox,
  type FrameSocket,
  makeFrameInbox,
  maxFrameBytes,
  type OpenFrames,
  type SocketRequest
} from "./carriers/FrameSocket.js"
export {
  type ConnectionConfig,
  CreateDeployment,
  Deployment,
  DeploymentAction,
  DeploymentDetail,
  deploymentDetailOf,
  type DeploymentStatus,
  DeploymentSummary,
  deploymentSummaryOf,
  type InboundConfig,
  PatchDeployment,
  phoneNumbersOf
} from "./deployments/Deployment.js"
export { Deployments } from "./deployments/Deployments.js"
export {
  deploymentColumns,
  deploymentSortable,
  DeploymentStore,
  type OwnedDeployment
} from "./deployments/DeploymentStore.js"
export { type InboundRoute, InboundRouter, type KnownCaller, KnownCallers } from "./deployments/InboundRouter.js"
export { CallEvents, type Decision, type Polling } from "./events/CallEvents.js"
export { CallEvent, CallEventStore, CallNews } from "./events/CallEventStore.js"
export { InboundCalls } from "./inbound/InboundCalls.js"
export { CallJournal, type CallNotes, noCallNotes } from "./journal/CallJournal.js"
export { CallJournalStore, JournalEntry, type JournalLine } from "./journal/CallJournalStore.js"
export {
  type CallSlot,
  CallSlots,
  type CallSlotsOptions,
  makeSlotAllocator,
  reservationTime,
  type SlotResult
} from "./lines/CallSlots.js"
export { LineDetail } from "./lines/LineDetail.js"
export {
  type DialPermit,
  type DialResult,
  LineBreaker,
  LineHealth,
  type LineHealthOptions,
  type LineState
} from "./lines/LineHealth.js"
export { Lines } from "./lines/Lines.js"
export type { SlotAllocator } from "./lines/SlotAllocator.js"
export { grantSlots, type SlotGrant, type SlotLease, SlotLeases, type SlotRequest } from "./lines/SlotLeases.js"
export type { Claimant, ClaimantState, ConnectionState } from "./lines/SlotStates.js"
export { defaultInboundShare } from "./lines/WorkspaceLimits.js"
export { attemptStarted, isEventOf, lineChanged, LiveEvent } from "./live/LiveEvent.js"
export { LiveFeed } from "./live/LiveFeed.js"
export { DialsHere, Outbounds, outboundTopic } from "./outbound/Outbounds.js"
export { CallRecorder, type LineRecording, type RecordedCall } from "./recording/CallRecorder.js"
export { type LineListener, tapLine, type TappedLine } from "./recording/LineTap.js"
export {
  agentIssues,
  AgentVersions,
  connectionIssues,
  type ConnectionReference,
  failOnIssues
} from "./ReferenceChecks.js"
export { Callee, calleeFor, type CalleeName, CalleeTurn, SimulatorRule } from "./simulator/Callee.js"
export { type AudioCall, type AudioCaller, makeSimulatedAudioLine } from "./simulator/SimulatedAudioLine.js"
export type { SimulatedStage } from "./simulator/SimulatedCall.js"
export {
  type CallIn,
  type CallInResult,
  type NetworkCall,
  type OfferedCall,
  SimulatedNetwork
} from "./simulator/SimulatedNetwork.js"
export type { DialFault, SimulatorOptions } from "./simulator/SimulatorOptions.js"
