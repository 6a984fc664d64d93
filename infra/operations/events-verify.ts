import '../quiet-sdk.ts';
import { signingKey } from '../../shared/integrity/event-seals/seal-key.ts';
import { command, print } from './command.ts';
import { accountId, type ValueType } from './options.ts';
import { withProgressBar } from './progress-bar.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';
import { verifyEvents } from './verify-events.ts';

const sealHash: ValueType<string> = {
  expected: 'the hash of a seal (64 hex digits)',
  parse: (given) => (/^[0-9a-f]{64}$/i.test(given) ? given.toLowerCase() : undefined),
};

await command(
  {
    name: 'events:verify',
    summary: `Verifies the event log of an account by its seals: signatures, the chain of seals, and whether events were
altered, removed, inserted or backdated. Changes nothing.`,
    options: {
      account: { type: accountId, required: true, help: 'account whose log is verified' },
      head: { type: sealHash, help: 'hash stored outside of the table; a seal must have this hash' },
      json: { type: 'flag', help: 'prints the result as JSON' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `If the log is intact, the command prints the hash of the newest seal. Store that hash outside of the table, and
pass it as --head next time. Otherwise the command prints each fault, and the exit code is 1. Signatures are verified
with the public key from KMS (locally from DATA_DIR/seal-key.json), never with the key in a seal.`,
    ],
  },
  async ({ account, head: knownHash, json, stage }) => {
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
  },
);
