import type { DoubleCallFacts, DoubleState } from "./DoubleDialect.js"

/** True for a call in progress. */
export const isLive = ({ state }: DoubleCallFacts): boolean => state === "ringing" || state === "talking"

/** Date and time of India. */
const india = (millis: number): string => new Date(millis + 19_800_000).toISOString().slice(0, 19).replace("T", " ")

const national = (number: string): string => number.replace(/^\+91/, "0")

const theirs = ({ direction, from, to }: DoubleCallFacts): string => direction === "inbound" ? from : to
const ours = ({ direction, from, to }: DoubleCallFacts): string => direction === "inbound" ? to : from

const causes: Readonly<Record<DoubleState, readonly [code: string, name: string]>> = {
  queued: ["0", "UNSPECIFIED"],
  ringing: ["0", "UNSPECIFIED"],
  talking: ["0", "UNSPECIFIED"],
  completed: ["16", "NORMAL_CLEARING"],
  busy: ["17", "USER_BUSY"],
  no_answer: ["19", "NO_ANSWER"],
  failed: ["41", "NORMAL_TEMPORARY_FAILURE"],
  cancelled: ["16", "NORMAL_CLEARING"]
}

const causeOf = ({ isInvalid, state }: DoubleCallFacts) => isInvalid ? ["1", "UNALLOCATED_NUMBER"] : causes[state]

/** A call as the list of calls in progress has it. */
export const liveRow = (call: DoubleCallFacts, index: number) => ({
  id: index + 1,
  call_id: call.id,
  direction: call.direction === "inbound" ? 1 : 2,
  source: national(theirs(call)),
  type: "click-to-call",
  did: ours(call),
  state: call.state === "talking" ? "Answered" : "Ringing",
  created_at: india(call.since),
  customer_number: national(theirs(call))
})

/** A call that is over as the list of records has it. */
export const record = (call: DoubleCallFacts) => {
  const [date, time] = india(call.since).split(" ")
  return {
    id: call.id,
    call_id: call.id,
    direction: call.direction,
    status: call.state === "completed" ? "answered" : "missed",
    date,
    time,
    client_number: theirs(call),
    did_number: ours(call),
    answered_seconds: call.state === "completed" ? 1 : 0,
    hangup_cause: causeOf(call)[1]
  }
}

/** A notice as an account has its body, in which variables that have no value stay as they are. */
export const notice = (call: DoubleCallFacts): object => {
  const [code, name] = causeOf(call)
  const isOver = !isLive(call)
  return {
    call_id: call.id,
    uuid: `uuid-${call.id}`,
    ref_id: "",
    direction: isOver ? "clicktocall" : "click_to_call",
    call_status: call.state === "talking" ? "Answered by agent" : call.state === "completed" ? "answered" : "missed",
    start_stamp: india(call.since),
    end_stamp: isOver ? india(Date.now()) : "$end_stamp",
    billsec: call.state === "completed" ? "1" : "$billsec",
    call_connected: call.state === "completed" ? "1" : "0",
    hangup_cause_code: isOver ? code : "$hangup_cause_code",
    hangup_cause_key: isOver ? name : "$hangup_cause_key",
    reason_key: "$reason_key",
    ...(call.custom !== null && { custom_identifier: call.custom })
  }
}
