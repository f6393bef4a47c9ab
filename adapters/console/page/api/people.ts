import type { ProgressRecord } from "./types.js"

/** People of a campaign, also those whom it takes from its lists only shortly before they are due. */
export const peopleOf = ({ contacts }: Pick<ProgressRecord, "contacts">): number =>
  contacts.total_enrolled + contacts.not_enrolled

/** People who wait for a call. */
export const waitingOf = ({ contacts }: Pick<ProgressRecord, "contacts">): number =>
  contacts.waiting + contacts.not_enrolled
