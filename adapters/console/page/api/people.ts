import type { ProgressRecord } from "./types.js"

/** People of a campaign, also those whom it takes from its lists only shortly before they are due. */
export const peopleOf = ({ contacts }: Pick<ProgressRecord, "contacts">): number =>
  contacts.total_enrolled + contacts.not_enrolled

/** People who wait for a call, or, once a campaign is over, whom it has left. */
export const remainderOf = ({ contacts }: Pick<ProgressRecord, "contacts">): number =>
  contacts.waiting + contacts.not_enrolled

/** True for a campaign that calls nobody any more. */
export const isOver = ({ status }: Pick<ProgressRecord, "status">): boolean =>
  status === "ended" || status === "cancelled"
