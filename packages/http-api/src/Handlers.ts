import { mergeHandlers } from "./RouteHandlers.js"
import { accountHandlers } from "./routes/account/Handlers.js"
import { agentsHandlers } from "./routes/agents/Handlers.js"
import { analyticsHandlers } from "./routes/analytics/Handlers.js"
import { boardsHandlers } from "./routes/boards/Handlers.js"
import { queryHandlers } from "./routes/boards/QueryHandlers.js"
import { callsHandlers } from "./routes/calls/Handlers.js"
import { campaignsHandlers } from "./routes/campaigns/Handlers.js"
import { cohortsHandlers } from "./routes/cohorts/Handlers.js"
import { deploymentsHandlers } from "./routes/deployments/Handlers.js"
import { knowledgeHandlers } from "./routes/knowledge/Handlers.js"
import { modelsHandlers } from "./routes/models/Handlers.js"
import { serviceHandlers } from "./routes/service/Handlers.js"
import { voicesHandlers } from "./routes/voices/Handlers.js"

/** Handlers of every route. */
export const handlers = mergeHandlers(
  accountHandlers,
  agentsHandlers,
  deploymentsHandlers,
  campaignsHandlers,
  cohortsHandlers,
  knowledgeHandlers,
  callsHandlers,
  analyticsHandlers,
  boardsHandlers,
  queryHandlers,
  modelsHandlers,
  voicesHandlers,
  serviceHandlers
)
