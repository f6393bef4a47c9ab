import { place } from "../state/location.js"
import { CampaignList } from "./CampaignList.js"
import { CampaignPage } from "./CampaignPage.js"
import { NewCampaign } from "./create/NewCampaign.js"

/** The list, one campaign, or the form of a new one, by the address. */
export const CampaignPages = () => {
  const [id] = place.value.parts
  if (id === undefined) return <CampaignList />
  return id === "new" ? <NewCampaign /> : <CampaignPage key={id} id={id} />
}
