import type { ChildKind, ListedNoun } from '../../shared/table/keys.ts';

/** A noun whose records have children. */
export interface Parent {
  noun: ListedNoun;
  /** Every kind of children that its records can have. A kind that is not here outlives its parent. */
  childKinds: readonly ChildKind[];
}

/** The nouns whose records have children, by the subject of their events. */
export const parents: Readonly<Record<string, Parent>> = {
  application: { noun: 'APPLICATION', childKinds: ['NOTE', 'DOCUMENT'] },
  merchant: { noun: 'MERCHANT', childKinds: ['NOTE', 'EQUIPMENT', 'DOCUMENT'] },
  ticket: { noun: 'TICKET', childKinds: ['COMMENT', 'INTERNALCOMMENT', 'DOCUMENT', 'CLOCK'] },
};
