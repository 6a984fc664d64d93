import type { SignedIn } from '../../security/principal.ts';
import type { Write } from '../../table/operations.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { closeSession } from '../sessions/store.ts';
import type { StoredImpersonation } from './schema.ts';
import { impersonations } from './store.ts';

/** Ends open impersonations. Later requests with their tokens return 401. */
export const endImpersonations = (open: readonly StoredImpersonation[], request: Authored): Write[] =>
  open.flatMap((one) => [...closeSession(one), ...impersonations.replace(one, ended(one, request))]);

/** Records the end of the impersonation whose session logs out. Other sessions have no such record. */
export async function recordOwnEnd(request: Authored & { principal: SignedIn }): Promise<Write[]> {
  const { id, impersonation } = request.principal;
  if (!impersonation) return [];
  const record = await impersonations.find(impersonation.account, id, impersonation.id);
  return record && !record.endedAt ? impersonations.replace(record, ended(record, request)) : [];
}

const ended = (one: StoredImpersonation, request: Authored): StoredImpersonation =>
  revise(one, { endedAt: request.now.toISOString() }, request);
