/**
 * Operations of the HTTP interface by resource and method. The types in `generated/Resources.ts` are written from this
 * table and the declaration of the interface: run `npm run docs:types` after a change of either.
 */
export const resourceTable = {
  campaigns: {
    create: "campaigns.create",
    list: "campaigns.list",
    get: "campaigns.get",
    update: "campaigns.patch",
    setStatus: "campaigns.act",
    contacts: "campaignWork.contacts",
    progress: "campaignWork.progress",
    rehearse: "campaignWork.rehearse"
  },
  webhooks: {
    list: "campaignWebhooks.list",
    resend: "campaignWebhooks.retry",
    rotateSecret: "campaignWebhooks.rotateSecret"
  },
  cohorts: {
    uploadToCampaign: "cohorts.uploadToCampaign",
    fetchToCampaign: "cohorts.fetchToCampaign",
    addToCampaign: "cohorts.streamToCampaign",
    listOfCampaign: "cohorts.listOfCampaign",
    getOfCampaign: "cohorts.getOfCampaign",
    fileOfCampaign: "cohorts.fileOfCampaign",
    uploadToDeployment: "cohorts.uploadToDeployment",
    fetchToDeployment: "cohorts.fetchToDeployment",
    addToDeployment: "cohorts.streamToDeployment",
    listOfDeployment: "cohorts.listOfDeployment",
    getOfDeployment: "cohorts.getOfDeployment",
    fileOfDeployment: "cohorts.fileOfDeployment"
  },
  deployments: {
    create: "deployments.create",
    list: "deployments.list",
    get: "deployments.get",
    update: "deployments.patch",
    remove: "deployments.remove",
    setStatus: "deployments.act"
  },
  outbounds: { start: "outbounds.start" },
  blockedNumbers: { add: "blockedNumbers.add", list: "blockedNumbers.list", remove: "blockedNumbers.remove" },
  attempts: { get: "attempts.find" },
  analytics: {
    attempts: "analytics.attempts",
    interactions: "analytics.interactions",
    transcript: "analytics.transcript",
    recording: "analytics.recording"
  },
  erasures: { create: "erasure.user" },
  boards: {
    create: "boards.create",
    list: "boards.list",
    get: "boards.get",
    update: "boards.patch",
    remove: "boards.remove",
    createTab: "boards.createTab",
    updateTab: "boards.patchTab",
    removeTab: "boards.removeTab",
    createWidget: "boards.createWidget",
    updateWidget: "boards.patchWidget",
    removeWidget: "boards.removeWidget",
    filters: "boards.listFilters",
    updateFilter: "boards.patchFilter",
    schema: "queries.schema",
    preview: "queries.preview",
    runWidget: "queries.runWidget",
    runTab: "queries.runTab",
    chartSvg: "queries.chartSvg",
    chartPng: "queries.chartPng"
  },
  notifications: {
    create: "notifications.create",
    list: "notifications.list",
    get: "notifications.get",
    update: "notifications.patch",
    remove: "notifications.remove",
    deliveries: "notifications.deliveries"
  },
  chat: { create: "chat.v2", createCore: "chat.v1" },
  responses: { create: "responses.create" },
  models: { list: "models.list", get: "models.get" },
  voices: {
    create: "voices.create",
    list: "voices.list",
    get: "voices.get",
    remove: "voices.remove",
    speak: "voices.stream",
    generate: "voices.generate"
  }
} as const
