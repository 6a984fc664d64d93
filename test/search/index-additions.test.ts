import { afterEach, expect, test } from 'vitest';
import { buildIndexAdditions } from '../../events/build-index-additions.ts';
import workQueueSweep from '../../events/schedules/work-queue-sweep.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import countViews from '../../functions/views/count-views.ts';
import createView from '../../functions/views/create-view.ts';
import { indexedInvoiceFields } from '../../shared/billing/indexed-fields.ts';
import { indexedMemberFields } from '../../shared/people/users/indexed-fields.ts';
import { indexedApplicationFields } from '../../shared/sales/applications/record/indexed-fields.ts';
import { indexedLeadFields } from '../../shared/sales/leads/indexed-fields.ts';
import type { Lead } from '../../shared/sales/leads/schema.ts';
import { indexedMerchantFields } from '../../shared/sales/merchants/indexed-fields.ts';
import { fieldsWith, type IndexedFields, indexedFields } from '../../shared/search/indexed-fields.ts';
import { searchIndex } from '../../shared/search/search-index.ts';
import { indexedTicketFields } from '../../shared/support/tickets/indexed-fields.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { drain } from '../harness/drain.ts';
import { scanTable } from '../harness/raw-table.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

/** The declaration of leads. */
const declared = { ...indexedLeadFields };

/** Deploys another declaration of leads, with the version of its index. */
function deploy(fields: IndexedFields<Lead>, version: number): void {
  Object.assign(indexedLeadFields, fields);
  searchIndex.version = version;
}

afterEach(() => deploy(declared, 0));

/** Creates leads while an older deployment without these parts of the index runs. */
async function filledTable(count: number): Promise<Tenant> {
  const { company, source, lastContacted, ...fields } = declared.fields;
  deploy(indexedFields<Lead>({ ...declared, fields, times: {} }), 0);
  const acme = await tenant();
  await concurrently(count, (n) =>
    acme.admin.ok(createLead, {
      body: { firstName: 'Ada', lastName: 'Byron', company: `Engines ${n}`, source: n % 2 ? 'Fair' : 'Web' },
    }),
  );
  return acme;
}

/** Deploys the declaration of today, with the fields that were added to the index. */
function upgrade(): void {
  const added = {
    source: ['filter since 1'],
    company: ['filter', 'search since 1', 'sort'],
    lastContacted: ['before since 1', 'sort'],
  } as const;
  deploy(indexedFields<Lead>({ ...declared, fields: { ...declared.fields, ...added } }), 1);
}

const queries = [
  { source: ['Fair'] },
  { search: 'engines' },
  { search: 'engines ada', source: ['Fair', 'Web'] },
  { lastContactedBefore: '2999-01-01T00:00:00.000Z', source: ['Web'] },
  { search: 'ada', archived: [false] },
] as const;

async function totals({ admin }: Tenant): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const query of queries) {
    const page = await admin.ok(listLeads, { query: { ...query, pageSize: 100 } });
    expect(page.totalIsLowerBound).toBeUndefined();
    expect(page.data).toHaveLength(Math.min(100, page.totalCount));
    const ids = new Set<number>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: { data: { id: number }[]; nextCursor?: string | null } = await admin.ok(listLeads, {
        query: { ...query, pageSize: 10, cursor },
      });
      for (const { id } of next.data) ids.add(id);
      cursor = next.nextCursor ?? null;
    }
    expect(ids.size).toBe(page.totalCount);
    found.push(page.totalCount);
  }
  return found;
}

const entries = async (part: string) =>
  (await scanTable()).filter(({ pk, type }) => type === 'search-index' && String(pk).includes(part)).length;
const sweep = () => runSchedule(workQueueSweep, clock.now());

test('fields added to a filled table hide no record before, during and after the build that follows a deployment', async () => {
  const acme = await filledTable(24);
  await drain();
  const expected = [12, 24, 24, 12, 24];
  const view = await acme.admin.ok(createView, {
    body: { resource: 'lead', name: 'Fair', query: { source: 'Fair' }, sharedWith: 'me' },
  });
  upgrade();
  const countOf = async () => (await acme.admin.ok(countViews)).data.find(({ id }) => id === view.id)?.count;
  expect(await entries('#source#VALUE')).toBe(0);
  expect(await totals(acme)).toEqual(expected);
  expect(await countOf()).toBe(12);

  const { data } = await acme.admin.ok(listLeads, { query: { pageSize: 3 } });
  for (const { id } of data)
    await acme.admin.ok(updateLead, { params: { leadId: id }, body: { notes: 'Changed' } });
  await drain();
  expect(await entries('#source#VALUE')).toBe(3);
  expect(await totals(acme)).toEqual(expected);

  await sweep();
  expect(await entries('#source#VALUE')).toBe(3);
  clock.advance(16 * 60_000);
  for (let step = 0; step < 3; step++) {
    // A run without time builds nothing.
    await buildIndexAdditions({ now: clock.now(), deadline: Date.now() });
    expect(await totals(acme)).toEqual(expected);
  }
  await sweep();
  expect(await entries('#source#VALUE')).toBe(24);
  expect(await entries('#lastContacted#TIME')).toBe(24);
  expect(await totals(acme)).toEqual(expected);
  expect(await countOf()).toBe(12);
});

test('a build that stops at its deadline continues at the same place', async () => {
  const acme = await filledTable(110);
  upgrade();
  // A process that found all accounts complete reads them again after an hour.
  clock.advance(3_600_000);
  await sweep();
  clock.advance(16 * 60_000);
  const counts: number[] = [];
  for (let runs = 0; counts.at(-1) !== 110 && runs < 100; runs++) {
    await buildIndexAdditions({ now: clock.now(), deadline: Date.now() + 60 });
    counts.push(await entries(`${acme.accountId}#SEARCH#LEAD#source#VALUE`));
  }
  expect(counts.at(-1)).toBe(110);
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  await sweep();
  const { data } = await acme.admin.ok(listLeads, { query: { source: ['Fair'], pageSize: 100 } });
  expect(data).toHaveLength(55);
});

test('the index of an account that was created after the deployment is complete from its start', async () => {
  upgrade();
  const acme = await tenant();
  await concurrently(15, () =>
    acme.admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron', source: 'Fair' } }),
  );
  await drain();
  const [, record] = [
    await sweep(),
    (await scanTable()).find(({ pk, sk }) => sk === 'ACCOUNT' && String(pk).includes(acme.accountId)),
  ];
  expect(record).toMatchObject({ indexedAdditions: 1 });
  expect(record).not.toHaveProperty('indexBuild');
  expect((await acme.admin.ok(listLeads, { query: { source: ['Fair'] } })).totalCount).toBe(15);
});

/** The parts of the first deployment. A part that is not in this list declares a version; see `searchIndex`. */
const firstParts: Readonly<Record<string, string>> = {
  lead: 'id firstName lastName email phone company jobTitle location notes =assignedTo =teamId =leadSourceId =applicationId =source =currentPaymentProcessor =processStage =buyingRole =interestedInSwitching =archived =createdBy =externalKeyId =externalId <lastContacted',
  application:
    'id dbaName dbaContact ownerNames dbaEmail dbaPhone dbaCity =status =priority =assignedTo =repcode =dbaState =mccNumber =isComplete =leadId =merchantId =decision =createdBy =externalKeyId =externalId',
  merchant:
    'id merchantName dba legalName mcc merchantAccountId agentName principalNames principalEmails principalPhones cities midNumbers mccDescription =mcc =status =processingStatus =riskLevel =agentAccountId =isoName =applicationId =createdBy',
  ticket:
    'id ticketNumber subject requesterId requesterName requesterEmail requesterPhone merchantName tags description =status =priority =category =source =assignedTo =assignedTeamId =requesterType =merchantId =leadId =applicationId =midId =ticketTypeId =tags =createdBy <slaFirstResponseDue <slaResolutionDue',
  user: 'email name phone',
  invoice:
    'id number customerName customerId =status =number =customerType =customerId =currency =createdBy <dueDate',
};

/** The parts of fields that were added after the first deployment. No record that is older than its field has a value. */
const partsOfNewFields = ['=ownerId', '=teamId', '=participants'];

const declarations: Readonly<Record<string, IndexedFields<never>>> = {
  lead: indexedLeadFields,
  application: indexedApplicationFields,
  merchant: indexedMerchantFields,
  ticket: indexedTicketFields,
  user: indexedMemberFields,
  invoice: indexedInvoiceFields,
};

test('every part of the index belongs to the first deployment, or declares the version in which it was added', () => {
  for (const [resource, { names, texts, values, times = {}, since }] of Object.entries(declarations)) {
    const parts = [
      ...[...names, ...texts],
      ...values.map((field) => `=${field}`),
      ...Object.keys(times).map((field) => `<${field}`),
    ];
    const known = [...(firstParts[resource] ?? '').split(' '), ...partsOfNewFields, ...Object.keys(since)];
    expect(
      parts.filter((part) => !known.includes(part)),
      resource,
    ).toEqual([]);
    for (const [part, version] of Object.entries(since)) {
      expect(parts).toContain(part);
      expect(version).toBeLessThanOrEqual(searchIndex.version);
    }
  }
});

/** The filters that the search index cannot apply, with the reason. */
const unindexed: Readonly<Record<string, string>> = {
  'ticket slaStatus': 'changes with time',
  'user active': 'the list reads the members',
  'user teamId': 'the list reads the members',
  'user accountAdmin': 'the list reads the members',
  'user createdBy': 'the list reads the members',
};

test('the search index applies every filter of its records, unless the declaration says otherwise', () => {
  for (const [resource, declaration] of Object.entries(declarations)) {
    const { fields, names, texts, values, times = {} } = declaration as IndexedFields<object>;
    const inIndex: readonly string[] = [...names, ...texts, ...values];
    for (const field of fieldsWith(fields, 'filter', 'value')) expect(inIndex, resource).toContain(field);
    for (const field of fieldsWith(fields, 'unindexed filter'))
      expect(unindexed, resource).toHaveProperty([`${resource} ${field}`]);
    expect(Object.keys(times).sort()).toEqual(fieldsWith(fields, 'before').sort());
  }
});
