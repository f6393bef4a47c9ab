import type { Wording } from "./Wording.js"

/** Wordings in English. */
export const english: ReadonlyArray<Wording> = [
  {
    meaning: "congestion",
    phrases: [
      "all lines…busy",
      "all the lines…busy",
      "all circuits…busy",
      "all routes…busy",
      "lines in this route are busy",
      "lines on this route are busy",
      "network is busy",
      "network busy",
      "network congestion",
      "congestion in the network",
      "due to congestion",
      "your call cannot be completed at this time"
    ]
  },
  {
    meaning: "invalid",
    phrases: [
      "does not exist",
      "doesnt exist",
      "do not exist",
      "not a valid number",
      "not a valid phone number",
      "number…not valid",
      "number…invalid",
      "invalid number",
      "number…is incorrect",
      "incorrect number",
      "number…is not correct",
      "number…is wrong",
      "wrong number",
      "number…is not in use",
      "number…not in service",
      "no longer in service",
      "number…disconnected",
      "is not in existence",
      "number…not been assigned",
      "number…not allocated",
      "unallocated number",
      "number has changed",
      "number has been changed",
      "cannot be completed as dialed",
      "cannot be completed as dialled"
    ]
  },
  {
    meaning: "barred",
    phrases: [
      "incoming call facility",
      "incoming calls…barred",
      "incoming call…barred",
      "calls to this number…barred",
      "barred from receiving",
      "incoming…not available on this number",
      "incoming…not allowed",
      "incoming service",
      "not allowed to receive",
      "cannot receive calls",
      "cannot receive incoming",
      "not accepting calls",
      "does not accept calls",
      "is not taking calls",
      "call restrictions"
    ]
  },
  {
    meaning: "switchedOff",
    phrases: [
      "switched off",
      "switch off",
      "switched of",
      "turned off",
      "powered off"
    ]
  },
  {
    meaning: "unreachable",
    phrases: [
      "not reachable",
      "unreachable",
      "cannot be reached",
      "can not be reached",
      "cant be reached",
      "could not be reached",
      "out of coverage",
      "outside the coverage",
      "outside coverage",
      "out of the coverage",
      "out of network coverage",
      "out of reach",
      "out of range",
      "not in the coverage",
      "is currently unavailable",
      "is temporarily unavailable",
      "number…is unavailable",
      "subscriber…is not available",
      "person…is not available",
      "customer…is not available",
      "number…is not available",
      "number…is currently not available"
    ]
  },
  {
    meaning: "outOfService",
    phrases: ["out of service", "temporarily suspended", "service…suspended", "is out of order"]
  },
  {
    meaning: "busy",
    phrases: [
      "is busy",
      "is currently busy",
      "is presently busy",
      "is now busy",
      "is already busy",
      "currently busy",
      "is speaking to someone else",
      "is speaking with someone else",
      "is talking to someone else",
      "is talking on another call",
      "on another call",
      "on the other call",
      "on other call",
      "busy on another",
      "engaged on another",
      "is engaged",
      "another call in progress",
      "line is busy"
    ]
  },
  {
    meaning: "noAnswer",
    phrases: [
      "not answering",
      "did not answer",
      "does not answer",
      "doesnt answer",
      "is not responding",
      "not picking up",
      "no reply from",
      "there is no answer",
      "there is no reply",
      "unable to take your call",
      "cannot take your call",
      "not able to take your call"
    ]
  },
  {
    meaning: "checkNumber",
    phrases: [
      "please check the number",
      "kindly check the number",
      "please check the no you",
      "check the number you have dial",
      "check the number and dial",
      "check the number before dial",
      "please verify the number"
    ]
  },
  {
    meaning: "tryLater",
    phrases: [
      "try again",
      "try later",
      "try after",
      "call later",
      "call again",
      "dial again",
      "after some time",
      "again later"
    ]
  }
]
