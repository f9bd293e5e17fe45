/** What we use of the CSV library. Its published types bring those of Node along. */
export function parse<Row>(
  text: string,
  config: { delimiter: string; newline: '\n'; preview?: number },
): { data: Row[]; errors: { type: string; message: string; row?: number }[] };
export function unparse(table: { fields: string[]; data: object[] }, config: { escapeFormulae: RegExp }): string;
