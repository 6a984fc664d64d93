import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from '../../shared/endpoints/contract.ts';

export interface NamedContract {
  /** For example `leads-create-lead`. */
  name: string;
  contract: Contract;
}

const folders = readdirSync(join(import.meta.dirname, '../../functions'));

/** The file name of an endpoint: `lead-sources-create-lead-source` becomes `create-lead-source`. */
function verbNounOf(name: string): string {
  const matching = folders.filter((folder) => name.startsWith(`${folder}-`));
  const longest = matching.sort((one, other) => other.length - one.length)[0];
  return longest === undefined ? name : name.slice(longest.length + 1);
}

/** `create-lead` becomes `CreateLead`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `leads-create-lead` becomes `createLead`. */
export const operationIdOf = (name: string): string =>
  pascalCase(verbNounOf(name)).replace(/^\w/, (letter) => letter.toLowerCase());

/** `leads-create-lead` becomes `Lead`. */
export const nounOf = (name: string): string => pascalCase(verbNounOf(name).replace(/^[^-]*-/, ''));

/** The name of a request body: `leads-create-lead` becomes `LeadInput`, `leads-update-lead` becomes `LeadPatch`. */
export function bodyNameOf(name: string): string {
  const [verb] = verbNounOf(name).split('-');
  if (verb === 'create') return `${nounOf(name)}Input`;
  if (verb === 'update') return `${nounOf(name)}Patch`;
  return `${pascalCase(verbNounOf(name))}Input`;
}

/** `Leads` becomes `Lead`. */
export const singular = (noun: string): string =>
  noun
    .replace(/ies$/, 'y')
    .replace(/(sh|ch|x|ss)es$/, '$1')
    .replace(/([^su])s$/, '$1');
