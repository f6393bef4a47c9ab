import { type CampaignId, type CanaryArm, type PhoneNumber, sha256 } from "@trunkline/kernel"
import type { Canary } from "./Canary.js"

const hashSize = 2 ** 32

/** A number of a contact in a canary, evenly spread from 0 to 1, which is always the same. */
const positionOf = (campaign: CampaignId, canary: number, number: PhoneNumber): number => {
  const hash = sha256(`${campaign}/${canary}/${number}`)
  return new DataView(hash.buffer, hash.byteOffset).getUint32(0) / hashSize
}

/** Arm of a contact: the canary's for its percentage of all contacts, chosen by a hash, so that retries keep it. */
export const armOf = (
  campaign: CampaignId,
  { number, percent }: Pick<Canary, "number" | "percent">,
  contact: PhoneNumber
): CanaryArm => positionOf(campaign, number, contact) < percent / 100 ? "canary" : "control"
