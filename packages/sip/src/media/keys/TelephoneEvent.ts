import { read16, type RtpPacket, write16 } from "../packets/RtpPacket.js"

/** Keys by their event codes (RFC 4733, section 3.2). */
const keys = "0123456789*#ABCD"

/** Length of the payload of a telephone event, in bytes. */
export const telephoneEventBytes = 4

/** Level at which keys are sent, in dB below full scale. */
const keyLevel = 10

/** Code of a key; undefined for another character. */
export const eventOfKey = (key: string): number | undefined => {
  const code = key.length === 1 ? keys.indexOf(key) : -1
  return code < 0 ? undefined : code
}

/** Key of an event; undefined for an event that is no key, such as a flash. */
export const keyOfEvent = (event: number): string | undefined => keys[event]

/** Writes the payload of a telephone event (RFC 4733, section 2.3); the duration counts in units of the timestamp. */
export const writeTelephoneEvent = (
  into: Uint8Array,
  at: number,
  { duration, event, isEnd }: { readonly event: number; readonly isEnd: boolean; readonly duration: number }
): void => {
  into[at] = event
  into[at + 1] = (isEnd ? 0x80 : 0) | keyLevel
  write16(into, at + 2, duration)
}

/** Duration that a packet with a telephone event reports; 0 for a payload that is too short. */
export const eventDuration = ({ bytes, payloadEnd, payloadStart }: RtpPacket): number =>
  payloadEnd - payloadStart < telephoneEventBytes ? 0 : read16(bytes, payloadStart + 2)
