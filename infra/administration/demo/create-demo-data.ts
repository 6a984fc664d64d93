import type { Client } from '../../client/client.ts';
import { forEachInParallel } from '../for-each-in-parallel.ts';
import { requestSender } from '../send-requests.ts';
import { createAgentAccount, createCapturedBodies, createImpersonation } from './administration.ts';
import { type DemoCompany, parallel } from './company.ts';
import {
  connectIdentityProvider,
  createPartner,
  createVanityDomain,
  createVendor,
  createWebhooks,
} from './connections.ts';
import { createInvoices } from './invoices.ts';
import { createMails } from './mails.ts';
import { demoPlan } from './plan.ts';
import { createResiduals, demoProcessors } from './residuals.ts';
import { createLeads, createMerchants } from './sales.ts';
import { createStaff } from './staff.ts';
import { createBreachedTickets, createTickets } from './tickets.ts';
import { createRules, testShadowRules } from './underwriting-rules.ts';

export interface DemoProgress {
  /** The records that are being created, such as `tickets`. */
  step: string;
  /** The number of records that are complete, and the number of all records of the demo company. */
  done: number;
  total: number;
}

interface DemoOptions {
  /** The client of an administrator of the account. */
  client: Client;
  account: string;
  /** True if the service is on this machine, where webhooks and the partner may have a loopback address. */
  local: boolean;
  /** The port of the local SMTP server. If omitted, the company receives no mail. */
  smtpPort?: number;
  /** The same seed gives the same company. Ids differ. */
  seed: number;
  /** 1 is the full company. A smaller number gives fewer records. Default 1. */
  size?: number;
  /** Receives the progress after each record. */
  report?: (progress: DemoProgress) => void;
  /** If aborted, no further request is sent. A repeated call completes the company. */
  signal?: AbortSignal;
}

export interface DemoResult {
  /** For each path, such as `/leads`, the number of records that this call created. Empty if all records existed. */
  created: Record<string, number>;
}

/**
 * Creates a small company through the API, with records of all types. The simulated partner does not have to run. Existing
 * records of the same seed are not created again. Stays within the rate limit. Throws ResponseError if the service
 * refuses a request, and the signal's reason if the call is aborted.
 */
export async function createDemoData({
  client,
  account,
  local,
  smtpPort,
  seed,
  size = 1,
  report,
  signal,
}: DemoOptions): Promise<DemoResult> {
  const plan = demoPlan(seed, size);
  // Three webhooks, a vanity domain, a vendor, the account of an agent, an impersonation and the captured bodies. The local
  // service also has a mail domain.
  const others = local ? 9 : 8;
  const planned = [plan.users, plan.leads, plan.merchants, plan.invoices, plan.tickets, demoProcessors];
  const total = planned.reduce((sum, { length }) => sum + length, others);
  let done = 0;
  const created: Record<string, number> = {};
  const send = requestSender(client, {
    parallel,
    signal,
    onResponse: (method, path, _, { status }) => {
      const [kind = ''] = path.replaceAll(/\/(\d+|app_\w+)(?=\/)/g, '/…').split('?');
      if (method === 'POST' && status === 201) created[kind] = (created[kind] ?? 0) + 1;
    },
  });
  const company: DemoCompany = {
    plan,
    client,
    account,
    send,
    async each(step, all, create) {
      report?.({ step, done, total });
      await forEachInParallel(parallel, [...all.entries()], async ([n, one]) => {
        await create(one, n);
        done += 1;
        report?.({ step, done, total });
      });
    },
  };
  const staff = await createStaff(company);
  // Creates these tickets early. They miss their targets after a minute, while the other records are created.
  await createBreachedTickets(company, staff);
  await createWebhooks(company, local);
  await createPartner(company, staff, local);
  await createVanityDomain(company);
  await connectIdentityProvider(company);
  await createRules(company);
  await createVendor(company);
  await createAgentAccount(company);
  await createImpersonation(company, staff);
  const applications = await createLeads(company, staff);
  await testShadowRules(company);
  const merchants = await createMerchants(company, applications);
  await createInvoices(company, merchants);
  await createResiduals(company, staff, merchants);
  await createTickets(company, { staff, merchants });
  if (local) await createMails(company, smtpPort);
  await createCapturedBodies(company, merchants);
  return { created };
}
