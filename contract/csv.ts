/**
 * A cell that a spreadsheet program would run; such ones are written as text. Some programs skip a line break or a tab
 * before the sign, others take the wide signs of East Asian keyboards for the same. The CSV library's own pattern knows
 * neither these nor cells with a line break in them.
 */
export const startsLikeFormula = /^[=+\-@\t\r\n＝＋－＠]/;
