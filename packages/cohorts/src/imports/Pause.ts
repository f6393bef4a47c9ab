import { BusinessTime, macroTask } from "@trunkline/kernel"

/** Lets the event loop turn between two batches. */
export const pause = BusinessTime.hold(macroTask)
