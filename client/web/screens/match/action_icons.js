/**
 * Icons of the actions of a match, by the names of the table of controls; those that other screens have, too, are in
 * `parts.js`. The window has the same (`client/shown/actions/icons.py`).
 * @type {Record<string, string>}
 */
export const ACTION_ICONS = {
  cancel: "M6 6 L18 18 M18 6 L6 18",
  hint: "M9.5 17 H14.5 M10.5 20.5 H13.5 M9.5 17 C9.5 14 6.5 13 6.5 9 C6.5 6 9 3.5 12 3.5 C15 3.5 17.5 6 17.5 9 C17.5 13 14.5 14 14.5 17",
  draw: "M5 5.5 L7.5 4 V11 M17.5 4 L6.5 20 M14 15.5 C14 12.5 19 12.5 19 15.5 C19 17.5 14 18.5 14 20.5 H19.5",
  takeback: "M9 4.5 L4.5 9 L9 13.5 M4.5 9 H14 C21 9 21 19 14 19 H9",
  restart: "M19 12 C19 16 16 19 12 19 C8 19 5 16 5 12 C5 8 8 5 12 5 C14.5 5 17 6.5 18.5 9 M19 4 V9 H14",
  revert:
    "M5.5 9 C7 6.5 9.5 5 12 5 C16 5 19 8 19 12 C19 16 16 19 12 19 C9 19 6.5 17.5 5.5 15 M5 4 V9 H10 M12 8.5 V12.5 L15 14",
  give_up: "M6 21 V4 H18 L15 8.5 L18 13 H6",
  lobby: "M4 11 L12 4 L20 11 M6.5 9.5 V20 H17.5 V9.5",
  more: "M5 7 H19 M5 12 H19 M5 17 H19",
};
