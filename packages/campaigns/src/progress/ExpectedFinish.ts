import { closesAt, nextOpening, type WeeklyWindow } from "@trunkline/kernel"
import type { DialMinute } from "../dispatch/DispatchStore.js"

/** What the expectation rests on. Moments are epoch milliseconds of business time. */
export interface Outlook {
  readonly now: number
  readonly window: WeeklyWindow
  /** The campaign's end. */
  readonly end: number
  /** People who are not done with. */
  readonly people: number
  /** Attempts and people that have come to an end so far. */
  readonly attempts: number
  readonly finished: number
  /** The minutes of the last hour in which somebody was dialled. */
  readonly minutes: ReadonlyArray<DialMinute>
  /** When the last of those who wait is due; null when nobody waits. */
  readonly lastDue: number | null
}

const minute = 60_000

/** Nothing is expected later than this from now: 400 days, however far off the campaign's end is. */
const HORIZON = 400 * 24 * 60 * minute

/** How long the window is open between two moments. */
const openBetween = (window: WeeklyWindow, from: number, to: number): number => {
  let open = 0
  for (let moment = nextOpening(window, from); moment < to;) {
    const closes = Math.min(closesAt(window, moment), to)
    open += closes - moment
    moment = nextOpening(window, closes)
  }
  return open
}

/** The moment at which the window has been open for so long since `from`; `end` when it is not open for so long. */
const afterOpen = (window: WeeklyWindow, from: number, span: number, end: number): number => {
  let left = span
  for (let moment = nextOpening(window, from); moment < end;) {
    const closes = closesAt(window, moment)
    if (moment + left <= closes) return Math.min(moment + left, end)
    left -= closes - moment
    moment = nextOpening(window, closes)
  }
  return end
}

/**
 * When everybody will have been dealt with if it goes on as in the last hour: dials per minute that the window was
 * open, times as many attempts for each person as those needed who are finished, but not before the last retry is due
 * and not after the campaign's end. Null when nobody is left, nobody was dialled in the last hour, or it is further off
 * than can be told.
 */
export const expectedFinish = (outlook: Outlook): number | null => {
  const { attempts, end, finished, lastDue, minutes, now, people, window } = outlook
  const [first] = minutes
  if (people === 0 || first === undefined) return null
  const dials = minutes.reduce((sum, one) => sum + one.dials, 0)
  const open = Math.max(minute, openBetween(window, first.minute, now))
  const needed = people * Math.max(1, finished === 0 ? 1 : attempts / finished)
  const horizon = now + HORIZON
  const finish = Math.ceil(afterOpen(window, now, needed * open / dials, Math.min(end, horizon)))
  return finish >= horizon ? null : Math.min(end, Math.max(finish, lastDue ?? 0))
}
