export { CalleeModel, defaultCallees, HoursOfDay } from "./callees/CalleeModel.js"
export { Distribution } from "./callees/Distribution.js"
export { type RehearsalRequest, Rehearsals, RehearsalsBusy, RehearseCampaign } from "./Rehearsals.js"
export {
  maxRehearsedCalls,
  NothingToRehearse,
  nothingToRehearse,
  type RehearsalOptions,
  RehearsalProgress,
  rehearse
} from "./Rehearse.js"
export type { JournalSink } from "./report/Journal.js"
export { RehearsalReport, RehearsedOutcome } from "./report/RehearsalReport.js"
export { renderReport } from "./report/RenderReport.js"
export { Prices } from "./run/MakeReport.js"
export type { RehearsedCampaign } from "./run/RehearsalRun.js"
export type { RehearsalContact, RehearsalContacts } from "./simulation/ContactSource.js"
