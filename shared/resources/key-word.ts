/** The name of a resource in keys of the table: `LEADSOURCE` for `lead_source`. */
export const keyWord = (name: string): Uppercase<string> =>
  name.replaceAll('_', '').toUpperCase() as Uppercase<string>;
