import type { Application, CommandContext } from '@stricli/core';
import { completionsOf, program } from './command.ts';
import { accountCommands } from './commands/accounts.ts';
import { completionCommands } from './commands/completion.ts';
import { dataKeyCommands } from './commands/data-keys.ts';
import { deadLetterCommands } from './commands/dead-letters.ts';
import { demoDataCommands } from './commands/demo-data.ts';
import { eventCommands } from './commands/events.ts';
import { notificationCommands } from './commands/notifications.ts';
import { ownerCommands } from './commands/owners.ts';
import { partnerCommands } from './commands/partner.ts';
import { quotaCommands } from './commands/quotas.ts';
import { recordCommands } from './commands/records.ts';
import { restoredTableCommands } from './commands/restored-tables.ts';
import { searchIndexCommands } from './commands/search-index.ts';
import { smokeTestCommands } from './commands/smoke-tests.ts';
import { stackTraceCommands } from './commands/stack-traces.ts';
import { ticketCommands } from './commands/tickets.ts';
import { userCommands } from './commands/users.ts';
import { webhookCommands } from './commands/webhooks.ts';

const groups = {
  accounts: accountCommands,
  users: userCommands,
  dataKeys: dataKeyCommands,
  records: recordCommands,
  owners: ownerCommands,
  tickets: ticketCommands,
  events: eventCommands,
  notifications: notificationCommands,
  searchIndex: searchIndexCommands,
  partner: partnerCommands,
  webhooks: webhookCommands,
  deadLetters: deadLetterCommands,
  stackTraces: stackTraceCommands,
  smokeTests: smokeTestCommands,
  quotas: quotaCommands,
  restoredTables: restoredTableCommands,
  demoData: demoDataCommands,
  completion: completionCommands((words) => completionsOf(ops, words)),
};

/** The operators' commands: `npm run ops -- <noun> <verb>`. */
export const ops: Application<CommandContext> = program(
  'npm run ops --',
  'Operate the service of a stage or of this machine',
  groups,
);
