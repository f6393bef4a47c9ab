import type { CampaignId, PhoneNumber, Scope } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import type { Contact } from "../../contacts/Contact.js"
import { MemoryCampaign } from "./MemoryCampaign.js"
import { NumberDials } from "./NumberDials.js"

/** Changes a contact if the condition holds; succeeds with true if it did. */
type ChangeContact = (
  id: CampaignId,
  number: PhoneNumber,
  condition: (contact: Contact) => boolean,
  to: (contact: Contact) => Contact
) => Effect.Effect<boolean>

/**
 * The campaigns in memory, which the memory layers of `ContactStore`, `DialQueue` and `DialLog` share. Structures are
 * changed in place, because contacts are many and dials frequent.
 */
export class MemoryCampaigns extends Context.Tag("@trunkline/campaigns/MemoryCampaigns")<MemoryCampaigns, {
  /** The campaign with an id; a new one at its first use. */
  readonly of: (id: CampaignId) => MemoryCampaign
  /** The campaigns that contacts have been claimed for in this workspace. */
  readonly ofWorkspace: (scope: Scope) => ReadonlyArray<MemoryCampaign>
  readonly change: ChangeContact
  /** The dials of each number. */
  readonly numbers: NumberDials
}>() {
  static readonly layer = Layer.sync(MemoryCampaigns, () => {
    const campaigns = new Map<CampaignId, MemoryCampaign>()
    const of = (id: CampaignId): MemoryCampaign => {
      const campaign = campaigns.get(id) ?? new MemoryCampaign(id)
      campaigns.set(id, campaign)
      return campaign
    }
    return {
      of,
      ofWorkspace: (scope) => [...campaigns.values()].filter((campaign) => campaign.isOf(scope)),
      change: (id, number, condition, to) =>
        Effect.suspend(() => {
          const campaign = of(id)
          const before = campaign.find(number)
          return before !== undefined && condition(before)
            ? Effect.as(campaign.replace(to(before)), true)
            : Effect.succeed(false)
        }),
      numbers: new NumberDials()
    }
  })
}
