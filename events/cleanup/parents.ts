import type { ChildKind, ListedNoun } from '../../shared/table/keys.ts';

/** A noun whose records have child records. */
export interface Parent {
  noun: ListedNoun;
  /** The kinds of children that are deleted with the record. Children of other kinds are kept. */
  childKinds: readonly ChildKind[];
}

/** The nouns that have child records. The keys are subject types of events. */
export const parents: Readonly<Record<string, Parent>> = {
  application: { noun: 'APPLICATION', childKinds: ['NOTE', 'DOCUMENT'] },
  merchant: { noun: 'MERCHANT', childKinds: ['NOTE', 'EQUIPMENT', 'DOCUMENT'] },
  ticket: { noun: 'TICKET', childKinds: ['COMMENT', 'INTERNALCOMMENT', 'DOCUMENT', 'CLOCK'] },
};
