// Written by docs/client.mjs from docs/openapi.json. Do not edit.

/**
 * Operations by resource and method: the HTTP method, the path, and what else the request has: a body as `json` or `form`, a
 * `query`, a `page` of several, an answer in `bytes`.
 */
export const routes = {
  account: {
    get: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/account query"
  },
  agents: {
    create: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/agents json",
    list: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/agents",
    get: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/agents/{agent_id}",
    update: "PATCH /v1/orgs/{org_id}/workspaces/{workspace_id}/agents/{agent_id} json",
    listVersions: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/agents/{agent_id}/versions",
    createVersion: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/agents/{agent_id}/versions json",
    getVersion: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/agents/{agent_id}/versions/{app_version}",
    updateVersion: "PATCH /v1/orgs/{org_id}/workspaces/{workspace_id}/agents/{agent_id}/versions/{app_version} json",
    commitVersion:
      "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/agents/{agent_id}/versions/{app_version}/commit json",
    differences:
      "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/agents/{agent_id}/versions/{app_version}/differences query",
    talk: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/agents/{agent_id}/talk json"
  },
  campaigns: {
    create: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns json",
    list: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns query page",
    get: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}",
    update: "PATCH /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id} json",
    updateStatus: "PUT /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/status json",
    contacts: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/contacts query page",
    progress: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/progress",
    rehearse: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/rehearse json"
  },
  canaries: {
    start: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/canary json",
    updateStatus: "PUT /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/canary/status json"
  },
  webhooks: {
    list: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/webhooks query page",
    resend: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/webhooks/retry json",
    rotateSecret: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/webhooks/rotate-secret json"
  },
  cohorts: {
    preview: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/cohorts/preview json",
    uploadToCampaign: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/cohorts/upload form",
    fetchToCampaign: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/cohorts json",
    addToCampaign: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/cohorts/stream json",
    listOfCampaign: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/cohorts query page",
    getOfCampaign: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/cohorts/{cohort_id}",
    fileOfCampaign:
      "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns/{campaign_id}/cohorts/{cohort_id}/files query bytes",
    uploadToDeployment:
      "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/deployments/{deployment_id}/cohorts/upload form",
    fetchToDeployment: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/deployments/{deployment_id}/cohorts json",
    addToDeployment: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/deployments/{deployment_id}/cohorts/stream json",
    listOfDeployment: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/deployments/{deployment_id}/cohorts query page",
    getOfDeployment: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/deployments/{deployment_id}/cohorts/{cohort_id}",
    fileOfDeployment:
      "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/deployments/{deployment_id}/cohorts/{cohort_id}/files query bytes"
  },
  knowledge: {
    add: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/knowledge/upload form",
    list: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/knowledge query page",
    get: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/knowledge/{document_id}",
    remove: "DELETE /v1/orgs/{org_id}/workspaces/{workspace_id}/knowledge/{document_id}",
    search: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/knowledge/search json"
  },
  deployments: {
    create: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/deployments json",
    list: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/deployments query page",
    get: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/deployments/{deployment_id}",
    update: "PATCH /v1/orgs/{org_id}/workspaces/{workspace_id}/deployments/{deployment_id} json",
    remove: "DELETE /v1/orgs/{org_id}/workspaces/{workspace_id}/deployments/{deployment_id}",
    updateStatus: "PUT /v1/orgs/{org_id}/workspaces/{workspace_id}/deployments/{deployment_id}/status json"
  },
  outbounds: {
    start: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/outbounds json"
  },
  browserCalls: {
    create: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/calls/talk json"
  },
  blockedNumbers: {
    add: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/blocked-numbers json",
    list: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/blocked-numbers query page",
    remove: "DELETE /v1/orgs/{org_id}/workspaces/{workspace_id}/blocked-numbers/{number}"
  },
  lines: {
    list: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/lines"
  },
  attempts: {
    get: "GET /v1/orgs/{org_id}/workspaces/{workspace_id}/attempts/{attempt_id}",
    hangUp: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/attempts/{attempt_id}/hang-up"
  },
  analytics: {
    attempts: "GET /analytics/v1/{org_id}/{workspace_id}/{app_id}/attempts query page",
    interactions: "GET /analytics/v1/{org_id}/{workspace_id}/{app_id}/interactions query page",
    transcript: "GET /analytics/v1/{org_id}/{workspace_id}/{app_id}/transcripts/{interaction_id}",
    recording: "GET /analytics/v1/{org_id}/{workspace_id}/{app_id}/recordings/{interaction_id} bytes"
  },
  erasures: {
    create: "POST /v1/orgs/{org_id}/workspaces/{workspace_id}/erasures json"
  },
  boards: {
    create: "POST /api/analytics/v1/{org_id}/{workspace_id}/boards json",
    list: "GET /api/analytics/v1/{org_id}/{workspace_id}/boards query page",
    get: "GET /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}",
    update: "PATCH /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id} json",
    remove: "DELETE /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}",
    createTab: "POST /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/tabs json",
    updateTab: "PATCH /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/tabs/{tab_id} json",
    removeTab: "DELETE /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/tabs/{tab_id}",
    createWidget: "POST /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/widgets json",
    updateWidget: "PATCH /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/widgets/{widget_id} json",
    removeWidget: "DELETE /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/widgets/{widget_id}",
    filters: "GET /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/filters",
    updateFilter: "PATCH /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/filters/{filter_id} json",
    schema: "GET /api/analytics/v1/{org_id}/{workspace_id}/query-schema",
    preview: "POST /api/analytics/v1/{org_id}/{workspace_id}/query-preview json",
    runWidget: "POST /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/widgets/{widget_id}/run json",
    runTab: "POST /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/tabs/{tab_id}/run json",
    chartSvg:
      "GET /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/widgets/{widget_id}/chart.svg query bytes",
    chartPng:
      "GET /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/widgets/{widget_id}/chart.png query bytes"
  },
  notifications: {
    create: "POST /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/notifications json",
    list: "GET /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/notifications query page",
    get: "GET /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/notifications/{rule_id}",
    update: "PATCH /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/notifications/{rule_id} json",
    remove: "DELETE /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/notifications/{rule_id}",
    deliveries:
      "GET /api/analytics/v1/{org_id}/{workspace_id}/boards/{board_id}/notifications/{rule_id}/deliveries query page"
  },
  chat: {
    create: "POST /v2/chat/completions json",
    createCore: "POST /v1/chat/completions json"
  },
  responses: {
    create: "POST /v2/responses json"
  },
  models: {
    list: "GET /v2/models",
    get: "GET /v2/models/{model_id}",
    listCore: "GET /v1/models",
    getCore: "GET /v1/models/{model_id}"
  },
  voices: {
    create: "POST /voices/create form",
    list: "GET /voices query page",
    get: "GET /voices/{voice_id}",
    remove: "DELETE /voices/{voice_id}",
    speak: "POST /voices/clone/stream form bytes",
    generate: "POST /voices/clone form"
  }
} as const
