import { isTriggerQueue, queueNames } from '../../../shared/events/queues.ts';
import { command, group } from '../command.ts';
import {
  account,
  address,
  choice,
  defaultedOption,
  flag,
  instant,
  operand,
  optionalOption,
  requiredOption,
  text,
  type ValueType,
  wholeNumber,
} from '../options.ts';
import { serviceNote, serviceOption, signInNote } from './service-option.ts';

const eventQueues = queueNames.filter((queue) => !isTriggerQueue(queue));

/** The commands check the kind, because the list of event kinds would make `--help` slow. */
const eventKind: ValueType<string> = {
  ...text,
  expected: 'an event kind listed by GET /event-kinds',
  values: () => import('../../../shared/resources/derived.ts').then(({ eventKinds }) => eventKinds),
};

const kindOrHappening: ValueType<string> = {
  ...text,
  values: () =>
    import('../../../shared/resources/derived.ts').then(({ eventKinds, happenings }) => [
      ...eventKinds,
      ...happenings,
    ]),
};

const sealHash: ValueType<string> = {
  expected: 'the hash of a seal (64 hex digits)',
  parse: (given) => (/^[0-9a-f]{64}$/i.test(given) ? given.toLowerCase() : undefined),
};

const replay = command({
  brief: 'Sends the events of a time span to their queues again',
  notes: [
    serviceNote,
    `Consumers skip events they have already processed. The span is extended by 30 seconds at both ends. After an
interruption, run the command with the same options to continue.`,
  ],
  flags: {
    from: requiredOption(instant, 'start of the span'),
    to: requiredOption(instant, 'end of the span, at most 14 days later'),
    account: optionalOption(account, 'only events of this account; default: all accounts'),
    kind: optionalOption(eventKind, 'only events of this kind; default: all kinds'),
    queue: optionalOption(choice(...eventQueues), 'only to this queue; default: all subscribed queues'),
    rate: defaultedOption(wholeNumber, '100', 'messages per second'),
    dryRun: flag('counts the events and sends nothing'),
    json: flag('prints the counts as JSON'),
    ...serviceOption,
  },
  loader: () => import('../events-replay.ts'),
});

const verify = command({
  brief: 'Verifies the event log of an account by its seals',
  notes: [
    `The command verifies signatures and the chain of seals, and whether events were altered, removed, inserted or
backdated. It changes nothing.`,
    serviceNote,
    `If the log is intact, the command prints the hash of the newest seal. Store that hash outside of the table, and
pass it as --head next time. Otherwise the command prints each fault, and the exit code is 1. Signatures are verified
with the public key from KMS (locally from DATA_DIR/seal-key.json), never with the key in a seal.`,
  ],
  flags: {
    account: requiredOption(account, 'account whose log is verified'),
    head: optionalOption(sealHash, 'hash stored outside of the table; a seal must have this hash'),
    json: flag('prints the result as JSON'),
    ...serviceOption,
  },
  loader: () => import('../events-verify.ts'),
});

const cause = command({
  brief: 'Causes an event by performing the action that emits it, and prints the event from the event log',
  notes: [
    `The command creates the records that the action needs. The events account_created and user_added_to_account need the
local service.`,
    signInNote,
  ],
  flags: {
    list: flag('lists all event kinds and happenings'),
    baseUrl: optionalOption(address, 'URL of the API; default: the local service of DATA_DIR'),
    json: flag('prints the event and the created records as JSON'),
  },
  positional: {
    kind: 'tuple',
    parameters: [
      {
        ...operand('kind', kindOrHappening, 'event kind or happening, such as lead_created'),
        optional: true,
      },
    ],
  },
  loader: () => import('../events-cause.ts'),
});

export const eventCommands = group('Replay, verify and cause events', { replay, verify, cause });
