import '../quiet-sdk.ts';
import { randomBytes } from 'node:crypto';
import { eventCatalogue } from '../../shared/events/catalogue.ts';
import { type EventKind, eventKindGroups, isEventKind } from '../../shared/events/kinds.ts';
import { shortenedList } from '../shortened-list.ts';
import { command, print, textTable } from './command.ts';
import { createAccount } from './create-account.ts';
import { address } from './credentials.ts';
import { InvalidOption, text } from './options.ts';
import { runningService, useTableOf } from './service-at.ts';
import { signIn, signInNote } from './sign-in.ts';
import { startAction } from './trigger/caller.ts';
import { nearestKind } from './trigger/nearest-kind.ts';
import { reasonAgainst, triggerEvent } from './trigger/trigger-event.ts';

/** The maximum number of created records in the text output. */
const mostListed = 10;

const listOf = (created: readonly string[]): string[] =>
  created.length === 0 ? ['no remaining record'] : shortenedList(created, mostListed);

await command(
  {
    name: 'trigger',
    summary: `Causes an event by performing the action that emits it, and prints the event as soon as it is in the event log. Creates the
records that the action needs.`,
    options: {
      kind: { type: text, operand: true, help: 'event kind, such as lead_created' },
      list: { type: 'flag', help: 'lists all event kinds' },
      'base-url': { type: address, help: 'URL of the API; default: the local service of DATA_DIR' },
      json: { type: 'flag', help: 'prints the event and the created records as JSON' },
    },
    notes: [signInNote, 'The events account_created and user_added_to_account need the local service.'],
  },
  async ({ kind, list, 'base-url': given, json }) => {
    if (list) return printKinds(json);
    if (kind === undefined) throw new InvalidOption('<kind> is required. --list lists all kinds.');
    if (!isEventKind(kind))
      throw new InvalidOption(`Unknown event kind ${kind}. Did you mean ${nearestKind(kind)}?`);
    const reason = reasonAgainst(kind);
    if (reason !== undefined) throw new Error(reason);
    if (given === undefined) runningService();
    const action = startAction(signIn(given), given === undefined ? otherAccount : undefined);
    const { event, created: records } = await triggerEvent(kind, action);
    const created = [...records];
    const { type, id, label = '' } = event.subject;
    const lines = [
      `event    ${event.id}`,
      `kind     ${event.kind}`,
      `subject  ${type} ${id} ${label}`.trimEnd(),
      ...listOf(created).map((record, n) => (n === 0 ? 'created' : '').padEnd(9) + record),
    ];
    print({ event, created }, json ? undefined : lines);
  },
);

/** Creates another account in the table of the local service. */
async function otherAccount() {
  await useTableOf(undefined);
  const unique = randomBytes(5).toString('hex');
  return createAccount({
    name: `Trigger ${unique}`,
    adminEmail: `trigger-${unique}@example.com`,
    adminPassword: randomBytes(18).toString('base64url'),
  });
}

/** Prints each event kind with its description. Kinds that this command cannot cause are marked. */
function printKinds(json: boolean): void {
  const groups = Object.entries(eventKindGroups).map(([group, kinds]: [string, readonly EventKind[]]) => ({
    group,
    kinds: kinds.map((kind) => ({
      kind,
      description: eventCatalogue[kind].description,
      impossible: reasonAgainst(kind),
    })),
  }));
  const linesOf = ({ group, kinds }: (typeof groups)[number]) => {
    const rows = kinds.map(({ kind, description, impossible }) => [
      `  ${impossible ? '-' : ' '} ${kind}`,
      description,
    ]);
    return [group, ...textTable(rows), ''];
  };
  const marks =
    'The command cannot cause the kinds that are marked with "-". To see the reason, run the command with the kind.';
  print(groups, json ? undefined : [...groups.flatMap(linesOf), marks]);
}
