import type { ListedNoun } from '../table/keys.ts';

/** The listed noun behind each type of subject that carries an audit log. */
export const auditedNouns: Readonly<Record<string, ListedNoun>> = {
  lead: 'LEAD',
  application: 'APPLICATION',
};
