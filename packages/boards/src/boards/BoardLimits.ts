/** The most characters of the name of a board, a tab or a widget (shapes 7.2, 7.3). */
export const MAX_NAME_LENGTH = 60
/** The most characters of a board's tag (shapes 7.2). */
export const MAX_TAG_LENGTH = 40
/** The most bytes of a widget's SQL, in UTF-8 (design: boards 3.2). */
export const MAX_SQL_BYTES = 64 * 1024
/** The most characters of a widget's `viz_config`, as JSON. */
export const MAX_VIZ_CONFIG_LENGTH = 16 * 1024
/** The most boards of a workspace. */
export const MAX_BOARDS = 1_000
/** The most tabs of a board. */
export const MAX_TABS = 20
/** The most widgets of a tab. */
export const MAX_WIDGETS = 50
/** The most filters of a board. */
export const MAX_FILTERS = 100
/** The most characters of what a board's widgets and filters say together: a board is read as a whole. */
export const MAX_BOARD_LENGTH = 1024 * 1024
/** How many boards a page of a list holds, unless the caller says otherwise (shapes 7.1). */
export const DEFAULT_PAGE_LIMIT = 50
/** The name of the tab that every board begins with (shapes 7.2). */
export const DEFAULT_TAB_NAME = "Main"
