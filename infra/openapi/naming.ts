import { groups } from './groups.ts';

/** The file's name in an endpoint's: `lead-sources-create-lead-source` as `create-lead-source`. */
export function verbNounOf(name: string): string {
  const folders = groups
    .flatMap(({ segments }) => segments)
    .filter((folder) => name.startsWith(`${folder}-`));
  const longest = folders.sort((one, other) => other.length - one.length)[0];
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
