/**
 * Operations of the HTTP interface by resource and method. The types in `generated/Resources.ts` are written from this
 * table and the declaration of the interface: run `npm run docs:types` after a change of either.
 */
export const resourceTable = {
  account: { get: "account.get" },
  agents: {
    create: "agents.create",
    list: "agents.list",
    get: "agents.get",
    update: "agents.update",
    listVersions: "agents.versions.list",
    createVersion: "agents.versions.create",
    getVersion: "agents.versions.get",
    updateVersion: "agents.versions.update",
    commitVersion: "agents.versions.commit",
    differences: "agents.versions.differences",
    talk: "agents.talk"
  },
  campaigns: {
    create: "campaigns.create",
    list: "campaigns.list",
    get: "campaigns.get",
    update: "campaigns.update",
    updateStatus: "campaigns.updateStatus",
    contacts: "campaigns.contacts",
    progress: "campaigns.progress",
    rehearse: "campaigns.rehearse"
  },
  canaries: { start: "canaries.start", updateStatus: "canaries.updateStatus" },
  webhooks: {
    list: "webhooks.list",
    resend: "webhooks.resend",
    rotateSecret: "webhooks.rotateSecret"
  },
  cohorts: {
    preview: "cohorts.preview",
    uploadToCampaign: "campaigns.cohorts.upload",
    fetchToCampaign: "campaigns.cohorts.fetch",
    addToCampaign: "campaigns.cohorts.add",
    listOfCampaign: "campaigns.cohorts.list",
    getOfCampaign: "campaigns.cohorts.get",
    fileOfCampaign: "campaigns.cohorts.file",
    uploadToDeployment: "deployments.cohorts.upload",
    fetchToDeployment: "deployments.cohorts.fetch",
    addToDeployment: "deployments.cohorts.add",
    listOfDeployment: "deployments.cohorts.list",
    getOfDeployment: "deployments.cohorts.get",
    fileOfDeployment: "deployments.cohorts.file"
  },
  knowledge: {
    add: "knowledge.add",
    list: "knowledge.list",
    get: "knowledge.get",
    remove: "knowledge.remove",
    search: "knowledge.search"
  },
  deployments: {
    create: "deployments.create",
    list: "deployments.list",
    get: "deployments.get",
    update: "deployments.update",
    remove: "deployments.remove",
    updateStatus: "deployments.updateStatus"
  },
  outbounds: { start: "outbounds.start" },
  browserCalls: { create: "calls.talk" },
  blockedNumbers: { add: "blockedNumbers.add", list: "blockedNumbers.list", remove: "blockedNumbers.remove" },
  lines: { list: "lines.list" },
  attempts: { get: "attempts.get", hangUp: "attempts.hangUp" },
  analytics: {
    attempts: "analytics.attempts",
    interactions: "analytics.interactions",
    transcript: "analytics.transcript",
    recording: "analytics.recording"
  },
  erasures: { create: "erasures.create" },
  boards: {
    create: "boards.create",
    list: "boards.list",
    get: "boards.get",
    update: "boards.update",
    remove: "boards.remove",
    createTab: "boards.tabs.create",
    updateTab: "boards.tabs.update",
    removeTab: "boards.tabs.remove",
    createWidget: "boards.widgets.create",
    updateWidget: "boards.widgets.update",
    removeWidget: "boards.widgets.remove",
    filters: "boards.filters.list",
    updateFilter: "boards.filters.update",
    schema: "boards.schema",
    preview: "boards.preview",
    runWidget: "boards.widgets.run",
    runTab: "boards.tabs.run",
    chartSvg: "boards.widgets.chartSvg",
    chartPng: "boards.widgets.chartPng"
  },
  notifications: {
    create: "notifications.create",
    list: "notifications.list",
    get: "notifications.get",
    update: "notifications.update",
    remove: "notifications.remove",
    deliveries: "notifications.deliveries"
  },
  chat: { create: "chat.completions.create", createCore: "chat.completions.createCore" },
  responses: { create: "responses.create" },
  models: {
    list: "models.list",
    get: "models.get",
    listCore: "models.listCore",
    getCore: "models.getCore"
  },
  voices: {
    create: "voices.create",
    list: "voices.list",
    get: "voices.get",
    remove: "voices.remove",
    speak: "voices.speak",
    generate: "voices.generate"
  }
} as const
