import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folders = readdirSync(join(import.meta.dirname, '../../functions'));

/** The file's name in an endpoint's: `lead-sources-create-lead-source` as `create-lead-source`. */
function verbNounOf(name: string): string {
  const fitting = folders.filter((folder) => name.startsWith(`${folder}-`));
  const longest = fitting.sort((one, other) => other.length - one.length)[0];
  return longest === undefined ? name : name.slice(longest.length + 1);
}

/** `create-lead` as `CreateLead`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `leads-create-lead` as `createLead`. */
export const operationIdOf = (name: string): string =>
  pascalCase(verbNounOf(name)).replace(/^\w/, (letter) => letter.toLowerCase());

/** `leads-create-lead` as `Lead`. */
export const nounOf = (name: string): string => pascalCase(verbNounOf(name).replace(/^[^-]*-/, ''));
