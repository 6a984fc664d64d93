import { command, group } from '../command.ts';
import { account, flag, requiredOption } from '../options.ts';
import { serviceNote, serviceOption } from './service-option.ts';

const check = command({
  brief: "Compares the derived data of an account's tickets with their records, and prints the differences",
  notes: [
    'Derived data are clocks, index entries and totals. The command changes nothing.',
    serviceNote,
    'If there are differences, the exit code is 1.',
  ],
  flags: {
    account: requiredOption(account, 'account whose tickets are checked'),
    json: flag('prints the result as JSON'),
    ...serviceOption,
  },
  loader: () => import('../tickets-check.ts'),
});

const recompute = command({
  brief: "Recomputes the due times of an account's open tickets with the account's current SLA policy",
  notes: [
    `The policy has SLA targets, business hours and holidays. Without this command, open tickets keep the policy that
applied when they were created.`,
    serviceNote,
    `Each ticket gets an event and an entry in the ledger of its clock. Time that is already counted, met targets and
breaches do not change. If the command is interrupted, run it again.`,
  ],
  flags: {
    account: requiredOption(account, 'account whose open tickets are recomputed'),
    json: flag('prints the result as JSON'),
    ...serviceOption,
  },
  loader: () => import('../tickets-recompute.ts'),
});

export const ticketCommands = group('Check and recompute the clocks of tickets', { check, recompute });
