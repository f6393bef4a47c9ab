import { DEFAULT_TIME_ZONE } from "@trunkline/kernel"
import { DateTime } from "effect"
import { oneLine } from "./OneLine.js"
import type { Report } from "./Report.js"

/** In UTF-16 units. Names have 80 characters at most (shapes 7.2, 7.3, 7.6), so that none that the API takes is cut. */
const maxName = 160

const dateAndMinute = "2026-07-01T09:00".length

/** What a report is called: its rule's name, or without one its widget's. */
export const titleOf = ({ rule_name, widget_name }: Report): string =>
  oneLine(rule_name ?? "", maxName) || oneLine(widget_name, maxName) || "Report"

/** The board that a report is from. */
export const boardOf = ({ board_name }: Report): string => oneLine(board_name, maxName)

/** When a report was due, as Indian clocks show it: `2026-07-01 09:00 IST` (shapes 7.6, decisions 16). */
export const runTimeOf = ({ run_at }: Report): string => {
  const local = DateTime.unsafeSetZoneNamed(run_at, DEFAULT_TIME_ZONE)
  return `${DateTime.formatIsoOffset(local).slice(0, dateAndMinute).replace("T", " ")} IST`
}

/** The subject of a report's mail: `[board] rule-or-widget name, YYYY-MM-DD HH:MM IST` (shapes 7.6). */
export const subjectOf = (report: Report): string => `[${boardOf(report)}] ${titleOf(report)}, ${runTimeOf(report)}`
