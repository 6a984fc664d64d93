import '../quiet-sdk.ts';
import { sealKey } from '../../shared/integrity/event-seals/seal-key.ts';
import { command, print } from './command.ts';
import { accountId, type ValueType } from './options.ts';
import { progressBar } from './progress-bar.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';
import { verifyEvents } from './verify-events.ts';

const sealHash: ValueType<string> = {
  expected: 'the hash of a seal, 64 hex digits',
  parse: (given) => (/^[0-9a-f]{64}$/i.test(given) ? given.toLowerCase() : undefined),
};

await command(
  {
    name: 'events:verify',
    summary: `Verifies the seals of an account's event log and every event in it: signatures, chain, roots, and what was altered,
removed, inserted or back-dated since. It changes nothing.`,
    options: {
      account: { type: accountId, required: true, help: 'whose log is verified' },
      head: { type: sealHash, help: 'a hash that was noted elsewhere: a seal must have it' },
      json: { type: 'flag', help: 'prints all of it as JSON' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `Where all is whole it says so, with the hash of the newest seal, which is worth noting elsewhere. Else it prints a
sentence for each fault, and ends with 1. Signatures are verified by the public key that KMS tells (locally that of
DATA_DIR/seal-key.json), never by the one in a seal.`,
    ],
  },
  async ({ account, head: noted, json, stage }) => {
    await useTableOf(stage);
    const verifyingKey = await sealKey().verifyingKey();
    const bar = progressBar('Events read');
    const against = { verifyingKey, noted, now: new Date(), advance: bar.advance };
    const verified = await verifyEvents(account, against).finally(bar.end);
    const { seals, events, unsealed, head, faults } = verified;
    if (faults.length > 0) process.exitCode = 1;
    const newest =
      head && `The newest seal is ${head.number}, up to ${head.to}, with the hash ${head.hash}.\n`;
    const whole = `${seals} seals and ${events} events are whole; ${unsealed} events wait for the next seal.\n${newest ?? ''}`;
    const sentences = faults.map(({ sentence }) => `${sentence}\n`).join('');
    print(verified, json ? undefined : sentences || whole);
  },
);
