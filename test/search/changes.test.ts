import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import updateUnderwriting from '../../functions/applications/update-underwriting.ts';
import convertLead from '../../functions/leads/convert-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createNote from '../../functions/merchants/create-note.ts';
import deleteMerchant from '../../functions/merchants/delete-merchant.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import completeTicketDocument from '../../functions/tickets/complete-ticket-document.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import createTicketDocument from '../../functions/tickets/create-ticket-document.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { describedScan } from '../../infra/administration/upload-file.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { clock } from '../harness/clock.ts';
import { runs } from '../harness/heavy.ts';
import { type Client, type Tenant, tenant } from '../harness/tenant.ts';
import { withFile } from '../routes/uploaded-document.ts';
import { newTicketOf } from '../tickets/new-tickets.ts';

interface Listed {
  id: number | string;
  updatedAt: string;
}
type Query = Readonly<Record<string, unknown>>;

const day = 86_400_000;
const person = { firstName: 'Ada', lastName: 'Byron' };

/** Moves the clock, so that records that change before and after have different times. Returns a time between them. */
function instantBetween(): string {
  clock.advance(1000);
  const between = clock.now().toISOString();
  clock.advance(1000);
  return between;
}

async function list(admin: Client, endpoint: Endpoint, query: Query) {
  const { status, body } = await admin.call(endpoint, { query });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as { data: Listed[]; totalCount: number; nextCursor?: string | null };
}

/** Reads a list to its end. Runs `between` after each page except the last one. */
async function pagesOf(admin: Client, endpoint: Endpoint, query: Query, between = async () => {}) {
  const pages: Listed[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, nextCursor } = await list(admin, endpoint, { ...query, cursor });
    pages.push(data);
    cursor = nextCursor ?? null;
    if (cursor !== null) await between();
  }
  return pages;
}

/** Compares every record with the filter. */
async function changedAfter(admin: Client, endpoint: Endpoint, instant: string): Promise<Listed[]> {
  const { data, totalCount } = await list(admin, endpoint, { pageSize: 100 });
  expect(totalCount).toBe(data.length);
  return data.filter(({ updatedAt }) => updatedAt > instant);
}

const idsOf = (records: readonly Listed[]) => records.map(({ id }) => id);

/** The records of an account, and random changes of them. */
class Records {
  readonly #admin: Client;
  readonly #underwriter: string;
  readonly #ids: Record<string, (number | string)[]> = {
    lead: [],
    ticket: [],
    merchant: [],
    application: [],
  };
  #changes = 0;

  constructor({ admin, adminEmail }: Tenant) {
    this.#admin = admin;
    this.#underwriter = adminEmail;
  }

  /** Returns the id of an existing record, or creates a record. */
  async #one(type: 'lead' | 'ticket' | 'merchant' | 'application', at: number): Promise<number | string> {
    const ids = this.#ids[type] ?? [];
    return ids[at % Math.max(ids.length, 1)] ?? (await this.#create[type]());
  }

  #added(type: string, id: number | string) {
    this.#ids[type]?.push(id);
    return id;
  }

  readonly #create = {
    lead: async () => this.#added('lead', (await this.#admin.ok(createLead, { body: person })).id),
    ticket: async () => this.#added('ticket', (await newTicketOf(this.#admin)).id),
    merchant: async () => {
      const body = { merchantName: 'Harbor', principals: [person, { ...person, firstName: 'Grace' }] };
      return this.#added('merchant', (await this.#admin.ok(createMerchant, { body } as never)).id);
    },
    application: async () =>
      this.#added('application', (await this.#admin.ok(createApplication, { body: {} })).id),
  };

  async #remove(type: 'lead' | 'ticket' | 'merchant' | 'application', at: number): Promise<void> {
    const id = await this.#one(type, at);
    const removal = {
      lead: () => this.#admin.call(deleteLead, { params: { leadId: Number(id) } }),
      ticket: () => this.#admin.call(deleteTicket, { params: { ticketId: String(id) } }),
      merchant: () => this.#admin.call(deleteMerchant, { params: { merchantId: Number(id) } }),
      application: () => this.#admin.call(deleteApplication, { params: { applicationId: String(id) } }),
    }[type];
    // A submitted application is not deleted.
    if ((await removal()).status === 200)
      this.#ids[type] = this.#ids[type]?.filter((other) => other !== id) ?? [];
  }

  /** Each of these changes a record, except the note, which has an event about a merchant that does not change. */
  readonly acts = {
    createLead: () => this.#create.lead(),
    createTicket: () => this.#create.ticket(),
    createMerchant: () => this.#create.merchant(),
    createApplication: () => this.#create.application(),
    removeLead: (at: number) => this.#remove('lead', at),
    removeTicket: (at: number) => this.#remove('ticket', at),
    removeMerchant: (at: number) => this.#remove('merchant', at),
    removeApplication: (at: number) => this.#remove('application', at),
    updateLead: async (at: number) => {
      const params = { leadId: Number(await this.#one('lead', at)) };
      return this.#admin.ok(updateLead, { params, body: { company: `Harbor ${this.#changes++}` } });
    },
    convertLead: async (at: number) => {
      const params = { leadId: Number(await this.#one('lead', at)) };
      const { application } = await this.#admin.ok(convertLead, { params, body: {} });
      if (!this.#ids.application?.includes(application.id)) this.#added('application', application.id);
    },
    updateTicket: async (at: number) => {
      const params = { ticketId: String(await this.#one('ticket', at)) };
      return this.#admin.ok(updateTicket, { params, body: { subject: `Reader ${this.#changes++}` } });
    },
    commentTicket: async (at: number) => {
      const params = { ticketId: String(await this.#one('ticket', at)) };
      return this.#admin.ok(createTicketComment, { params, body: { body: 'Thanks' } });
    },
    updateMerchant: async (at: number) => {
      const params = { merchantId: Number(await this.#one('merchant', at)) };
      return this.#admin.ok(updateMerchant, { params, body: { dba: `Harbor ${this.#changes++}` } });
    },
    reorderMerchant: async (at: number) => {
      const params = { merchantId: Number(await this.#one('merchant', at)) };
      const { principals } = await this.#admin.ok(readMerchant, { params });
      return this.#admin.ok(updateMerchant, { params, body: { principals: principals.toReversed() } });
    },
    noteMerchant: async (at: number) => {
      const params = { merchantId: Number(await this.#one('merchant', at)) };
      return this.#admin.ok(createNote, { params, body: { type: 'general', content: 'Call back' } } as never);
    },
    updateApplication: async (at: number) => {
      const params = { applicationId: String(await this.#one('application', at)) };
      const body = { basics: { dbaName: `Harbor ${this.#changes++}` } };
      // A submitted application cannot be changed.
      return this.#admin.call(updateApplication, { params, body });
    },
    submitApplication: async (at: number) => {
      const params = { applicationId: String(await this.#one('application', at)) };
      return this.#admin.call(submitApplication, { params, body: {} });
    },
    assignApplication: async (at: number) => {
      const params = { applicationId: String(await this.#one('application', at)) };
      const priority = ['low', 'high'][this.#changes++ % 2];
      const body = { assignedTo: this.#underwriter, priority };
      return this.#admin.ok(updateUnderwriting, { params, body } as never);
    },
  };
}

type Act = keyof Records['acts'];
const lists = {
  Lead: listLeads,
  Ticket: listTickets,
  Merchant: listMerchants,
  Application: listApplications,
};

interface History {
  list: Endpoint;
  /** The changes before the time of `updatedAfter`, after it, and during the walk. */
  before: readonly Step[];
  after: readonly Step[];
  during: readonly Step[];
}
type Step = readonly [act: Act, at: number];

/** Random histories of the records of one list. A conversion also creates an application. */
const histories = fc.constantFrom(...Object.keys(lists)).chain((type) => {
  const acts = Object.keys(new Records({} as Tenant).acts) as Act[];
  const ofType = acts.filter((act) => act.endsWith(type) || act === 'convertLead');
  const steps = fc.array(fc.tuple(fc.constantFrom(...ofType), fc.nat(20)), { minLength: 4, maxLength: 9 });
  const list = fc.constant(lists[type as keyof typeof lists] as Endpoint);
  return fc.record<History>({ list, before: steps, after: steps, during: steps });
});

/** Runs a history up to the walk. */
async function historyOf({ before, after }: History) {
  const acme = await tenant();
  const { acts } = new Records(acme);
  for (const [act, at] of before) await acts[act](at);
  const updatedAfter = instantBetween();
  for (const [act, at] of after) await acts[act](at);
  return { admin: acme.admin, acts, updatedAfter };
}

describe('updatedAfter', () => {
  test('with a cursor, returns each changed record at least once and no other, while records change, are converted and deleted', async () => {
    const walks = fc.asyncProperty(histories, fc.integer({ min: 1, max: 3 }), async (history, pageSize) => {
      const { admin, acts, updatedAfter } = await historyOf(history);
      const left = [...history.during];
      const pages = await pagesOf(admin, history.list, { updatedAfter, pageSize }, async () => {
        for (const [act, at] of left.splice(0, 2)) await acts[act](at);
      });
      const changed = await changedAfter(admin, history.list, updatedAfter);
      const found = pages.flat();
      expect(idsOf(changed).filter((id) => !idsOf(found).includes(id))).toEqual([]);
      expect(found.filter(({ updatedAt }) => updatedAt <= updatedAfter)).toEqual([]);
      for (const page of pages) expect(new Set(idsOf(page)).size).toBe(page.length);
    });
    await fc.assert(walks, { numRuns: 10 * runs });
  });

  test('without a cursor, returns the changed records in the order of the list, with an exact total', async () => {
    const pages = fc.asyncProperty(histories, async (history) => {
      const { admin, updatedAfter } = await historyOf(history);
      const changed = idsOf(await changedAfter(admin, history.list, updatedAfter));
      const query = { updatedAfter, pageSize: 100 };
      const { data, totalCount } = await list(admin, history.list, query);
      expect([idsOf(data), totalCount]).toEqual([changed, changed.length]);
      const second = await list(admin, history.list, { ...query, pageSize: 2, page: 2 });
      expect(idsOf(second.data)).toEqual(changed.slice(2, 4));
      const sorted = await list(admin, history.list, { ...query, sort: 'createdAt' });
      expect(new Set(idsOf(sorted.data))).toEqual(new Set(changed));
    });
    await fc.assert(pages, { numRuns: 5 * runs });
  });

  test('returns a record that does not change during the walk once, although it changed several times before', async () => {
    const { admin } = await tenant();
    const updatedAfter = instantBetween();
    const leads = await Promise.all([1, 2, 3].map(() => admin.ok(createLead, { body: person })));
    for (const company of ['Harbor', 'Navy Yard', 'Harbor Street'])
      for (const { id: leadId } of leads) {
        clock.advance(5);
        await admin.ok(updateLead, { params: { leadId }, body: { company } });
      }
    const pages = await pagesOf(admin, listLeads, { updatedAfter, pageSize: 1 });
    expect(idsOf(pages.flat())).toEqual(idsOf(leads));
  });

  test('is combined with words and filters, with and without a cursor', async () => {
    const { admin } = await tenant();
    const lead = (fields: object) => admin.ok(createLead, { body: { ...person, ...fields } });
    await lead({ company: 'Harbor' });
    const updatedAfter = instantBetween();
    const [harbor] = [await lead({ company: 'Harbor' }), await lead({ company: 'Navy Yard' })];
    for (const query of [
      { company: 'harbor' },
      { search: 'byr harb' },
      { search: 'harb', archived: false },
    ]) {
      expect(idsOf((await list(admin, listLeads, { ...query, updatedAfter })).data)).toEqual([harbor.id]);
      const pages = await pagesOf(admin, listLeads, { ...query, updatedAfter });
      expect(idsOf(pages.flat())).toEqual([harbor.id]);
    }
  });

  test('finds a merchant with a new order of principals, and a ticket with a new document', async () => {
    const acme = await tenant();
    const { admin } = acme;
    const principals = [person, { ...person, firstName: 'Grace' }];
    const merchant = await admin.ok(createMerchant, {
      body: { merchantName: 'Harbor', principals },
    } as never);
    const ticket = await newTicketOf(admin);
    const updatedAfter = instantBetween();
    const merchantId = Number(merchant.id);
    const read = await admin.ok(readMerchant, { params: { merchantId } });
    await admin.ok(updateMerchant, {
      params: { merchantId },
      body: { principals: read.principals.toReversed() },
    });
    const params = { ticketId: String(ticket.id) };
    const body = { ...describedScan, type: 'photo' };
    const made = await admin.ok(createTicketDocument, { params, body });
    await withFile(completeTicketDocument)(acme, { ...params, documentId: Number(made.id) }, made);
    for (const [endpoint, id] of [
      [listMerchants, merchant.id],
      [listTickets, ticket.id],
    ] as const) {
      expect(idsOf(await changedAfter(admin, endpoint, updatedAfter))).toEqual([id]);
      expect(idsOf((await list(admin, endpoint, { updatedAfter })).data)).toEqual([id]);
    }
  });

  test('reads a limited number of events for each page, so pages between changes of other records are empty', async () => {
    const { admin } = await tenant();
    const updatedAfter = instantBetween();
    const first = await admin.ok(createLead, { body: person });
    const ticket = await newTicketOf(admin);
    for (let n = 0; n < 120; n++)
      await admin.ok(updateTicket, {
        params: { ticketId: String(ticket.id) },
        body: { subject: `Reader ${n}` },
      });
    const last = await admin.ok(createLead, { body: person });
    const pages = await pagesOf(admin, listLeads, { updatedAfter, pageSize: 10 });
    expect(pages.map(idsOf)).toEqual([[first.id], [], [last.id]]);
  });

  test('without a cursor, compares the records of the list if there are too many events', async () => {
    const { admin } = await tenant();
    await admin.ok(createLead, { body: person });
    const updatedAfter = instantBetween();
    const lead = await admin.ok(createLead, { body: person });
    for (let n = 0; n < 160; n++)
      await admin.ok(updateLead, { params: { leadId: lead.id }, body: { company: `Harbor ${n}` } });
    const { data, totalCount } = await list(admin, listLeads, { updatedAfter });
    expect([idsOf(data), totalCount]).toEqual([[lead.id], 1]);
    expect(idsOf((await list(admin, listLeads, { updatedAfter, search: 'byron' })).data)).toEqual([lead.id]);
  });

  test('before the start of the event log, walks the list. A walk of changes can be finished after its time has left the log', async () => {
    const { admin, directKey: key } = await tenant();
    const leads = [];
    for (let n = 0; n < 3; n++) leads.push(await admin.ok(createLead, { body: person }));
    const updatedAfter = new Date(clock.now().getTime() - 399 * day).toISOString();
    const { nextCursor: cursor } = await list(key, listLeads, { updatedAfter, pageSize: 1, cursor: '' });
    clock.advance(2 * day);
    const rest = await list(key, listLeads, { updatedAfter, pageSize: 10, cursor });
    expect([idsOf(rest.data), rest.nextCursor]).toEqual([idsOf(leads.slice(1)), null]);
    const pages = await pagesOf(key, listLeads, { updatedAfter, pageSize: 2 });
    expect(idsOf(pages.flat())).toEqual(idsOf(leads).toReversed());
  });

  test('a cursor of changes is refused in a walk of the list, and a cursor of the list in a walk of changes', async () => {
    const { admin } = await tenant();
    const updatedAfter = instantBetween();
    for (let n = 0; n < 2; n++) await admin.ok(createLead, { body: person });
    const [ofChanges, ofList] = [{ updatedAfter }, {}];
    for (const [query, other] of [
      [ofChanges, ofList],
      [ofList, ofChanges],
    ]) {
      const { nextCursor: cursor } = await list(admin, listLeads, { ...query, pageSize: 1, cursor: '' });
      const { body } = await admin.call(listLeads, { query: { ...other, cursor } as never });
      expect(body).toMatchObject({ status: 400, error: 'invalid_input', details: [{ field: 'cursor' }] });
    }
  });
});
