import type { ChildKind, ListedNoun } from '../../shared/table/keys.ts';

/** A record type whose records can have child records. */
export interface Parent {
  noun: ListedNoun;
  /** The kinds of children that are deleted with the record. Children of other kinds are kept. */
  childKinds: readonly ChildKind[];
}

/** The record types whose records can have child records, by the subject type of their events. */
export const parents: Readonly<Record<string, Parent>> = {
  application: { noun: 'APPLICATION', childKinds: ['NOTE', 'DOCUMENT'] },
  merchant: { noun: 'MERCHANT', childKinds: ['NOTE', 'EQUIPMENT', 'DOCUMENT'] },
  ticket: { noun: 'TICKET', childKinds: ['COMMENT', 'INTERNALCOMMENT', 'DOCUMENT', 'CLOCK'] },
};
