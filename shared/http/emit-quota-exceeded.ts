import type { Contract } from '../endpoints/contract.ts';
import { labelled } from '../events/subject.ts';
import { callMinute } from '../security/call-limit.ts';
import { quotaReachedKey } from '../table/keys.ts';
import { emitOnceInBackground } from './emit-in-background.ts';
import type { Authorized } from './steps.ts';

/** Emits `quota_exceeded` in a separate transaction, because the rejected request commits nothing. */
export function emitQuotaExceeded({ path }: Contract, authorized: Authorized): void {
  const { account, accountRecord, now } = authorized;
  if (account === undefined) return;
  const mark = quotaReachedKey(account, path, callMinute(now));
  const subject = { type: 'account', id: account, ...labelled(accountRecord.name) } as const;
  const draft = { kind: 'quota_exceeded', subject, data: { quota: path } } as const;
  emitOnceInBackground('quota event', mark, draft, authorized);
}
