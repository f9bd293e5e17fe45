/**
 * A spreadsheet program would run such a cell, so it is written as text. Some programs skip a line break or a tab
 * before the sign. Others read the wide signs of East Asian keyboards as the same sign. The CSV library's own pattern
 * knows neither these nor cells with a line break in them.
 */
export const startsLikeFormula = /^[=+\-@\t\r\n＝＋－＠]/;
