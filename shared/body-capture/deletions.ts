/**
 * Reports whether an event of this kind means that its subject does not exist any more. The deletion of an account is not
 * meant, because it can be revoked. The erasure of the account removes all bodies.
 */
export const isDeletionKind = (kind: string): boolean =>
  kind.endsWith('_deleted') && kind !== 'account_deleted';
