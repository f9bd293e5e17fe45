/**
 * A cell that a spreadsheet program would run; such ones are written as text. The library's own pattern overlooks cells
 * with a line break in them.
 */
export const startsLikeFormula = /^[=+\-@\t\r]/;
