export {
  Actor,
  Board,
  BoardId,
  BoardRecord,
  BoardSummary,
  summaryOf,
  Tab,
  TabId,
  TabRecord,
  Widget,
  WidgetId,
  WidgetRecord,
  widgetsOf
} from "./boards/Board.js"
export {
  CreateBoard,
  CreateTab,
  CreateWidget,
  ListBoards,
  maxBoardLength,
  maxBoards,
  maxFilters,
  maxSqlBytes,
  maxTabs,
  maxVizConfigLength,
  maxWidgets,
  PatchBoard,
  PatchFilter,
  PatchTab,
  PatchWidget
} from "./boards/BoardBodies.js"
export { WidgetDependents } from "./boards/BoardChanges.js"
export { Boards, type SaveFailure, type WidgetOnBoard } from "./boards/Boards.js"
export { BoardStore } from "./boards/BoardStore.js"
export { QuerySchema } from "./boards/QuerySchema.js"
export { Filter, FilterDecl, FilterId, FilterType } from "./filters/Filter.js"
export { FilterInput } from "./filters/FilterValue.js"
export { FilterValues } from "./filters/FilterValues.js"
export { MaxAge, PreviewRun, RunResult, TabRun, TabRunResult, WidgetResult, WidgetRun } from "./runs/RunBodies.js"
export { type RunFailure, Runs } from "./runs/Runs.js"
export { WidgetCharts } from "./runs/WidgetCharts.js"
