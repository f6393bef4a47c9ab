import { PageHead } from "../ui/PageHead.js"

export const CampaignPages = () => <PageHead title="Campaigns" />
