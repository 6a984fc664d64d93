import type { AccountId } from '../../shared/id/account-id.ts';
import { signingKey } from '../../shared/integrity/event-seals/seal-key.ts';
import { withProgressBar } from '../administration/progress-bar.ts';
import type { StageSettings } from '../stage-settings.ts';
import { print } from './print.ts';
import { useTableOf } from './service-at.ts';
import { verifyEvents } from './verify-events.ts';

type Options = { account: AccountId; head?: string; json?: boolean; stage?: StageSettings };

export default async function ({ account, head: knownHash, json, stage }: Options): Promise<void> {
  await useTableOf(stage);
  const verifyingKey = await signingKey().verifyingKey();
  const verified = await withProgressBar('Events read', (advance) =>
    verifyEvents(account, { verifyingKey, knownHash, now: new Date(), advance }),
  );
  const { seals, events, unsealed, head, faults } = verified;
  if (faults.length > 0) process.exitCode = 1;
  const newest =
    head && `The newest seal is number ${head.number}, up to ${head.to}, with the hash ${head.hash}.`;
  const counts = `${seals} seals and ${events} events are intact; ${unsealed} events are not sealed yet.`;
  const lines =
    faults.length > 0 ? faults.map(({ sentence }) => sentence) : [counts, ...(newest ? [newest] : [])];
  print(verified, json ? undefined : lines);
}
