import { type Collision, findCollisions } from '../duplicate-detection/find-collisions.ts';
import { blindValuesOf } from './seal-values.ts';
import type { StoredApplication } from './stored-application.ts';

/** What an application has in common with other records of its account; its own merchant is none of them. */
export const collisionsOf = (application: StoredApplication): Promise<Collision[]> => {
  const { accountId, id, admin } = application;
  return findCollisions(accountId, blindValuesOf(application), [
    { type: 'application', id },
    ...(admin.merchantId === undefined ? [] : [{ type: 'merchant' as const, id: admin.merchantId }]),
  ]);
};
