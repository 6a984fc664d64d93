import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import search from '../../events/consumers/search.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import type { Event } from '../../shared/events/envelope.ts';
import type { Lead } from '../../shared/sales/leads/schema.ts';
import { concurrently } from '../harness/concurrently.ts';
import { newEvents, redeliveredBy } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { type Client, tenant } from '../harness/tenant.ts';

const update = redeliveredBy(search);
/** Delivers the events of leads to the consumer of the search index. */
const deliverEvents = async (events: readonly Event[]): Promise<void> => {
  const ofLeads = events.filter(({ subject }) => subject.type === 'lead');
  for (let start = 0; start < ofLeads.length; start += 10)
    expect(await update(ofLeads.slice(start, start + 10))).toEqual([]);
};

const names = ['José', 'Núñez', 'Ann', 'Anna', 'Annabel', "O'Neill", 'Smith-Jones', '田中商店', 'Straße'];
const companies = ['Navy Yard', 'navy yárd', 'Yard', 'Harbor Coffee', 'Anna & Sons'];

/** Creates more leads than a list compares without the index, so that only the index finds the older ones. */
async function createNewerLeads(admin: Client): Promise<void> {
  const body = { firstName: 'Zoe', lastName: 'Zimmer' };
  await concurrently(26, () => admin.ok(createLead, { body }));
}

/** Returns all records of a list by its cursors. */
async function walk(admin: Client, query: object): Promise<Lead[]> {
  const all: Lead[] = [];
  let cursor = '';
  for (let pages = 0; pages < 200; pages++) {
    const page = await admin.ok(listLeads, { query: { ...query, pageSize: 7, cursor } });
    all.push(...page.data);
    if (!page.nextCursor) return all;
    cursor = page.nextCursor;
  }
  throw new Error('The list has no end.');
}

const text = (values: readonly string[]) => fc.constantFrom(...values);
const fields = fc.record(
  {
    company: text(companies),
    notes: text(['Call Ann on Monday', 'navy blue card reader']),
    email: text(['jose@example.com', 'Ann.Smith@Example.org']),
    phone: text(['(415) 555-0134', '+1 415 555 0199']),
    processStage: text(['new', 'contacted', 'qualified']),
    assignedTo: text(['vic']),
    lastContacted: text(['2026-01-05T10:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-02-20T08:30:00.000Z']),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ create: text(names), last: text(names), fields }) },
  { weight: 4, arbitrary: fc.record({ change: fc.nat(9), fields }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(9) }) },
);

describe('the search index', () => {
  test('finds what a comparison with every record finds, after any history of changes and deliveries', async () => {
    const acme = await tenant();
    const { admin } = acme;
    const { user: vic } = await member(acme);
    const bodyOf = ({ assignedTo, ...rest }: { assignedTo?: string }) => ({
      ...rest,
      ...(assignedTo && { assignedTo: String(vic.id) }),
    });
    let ids: number[] = [];
    const histories = fc.tuple(
      fc.array(step, { minLength: 8, maxLength: 14 }),
      fc.infiniteStream(fc.nat(99)),
    );
    const [drawn] = fc.sample(histories, 1);
    if (!drawn) throw new Error('No history was drawn.');
    const [history, numbers] = drawn;
    for (const one of history) {
      if ('create' in one) {
        const body = { firstName: one.create, lastName: one.last, ...bodyOf(one.fields) };
        ids.push((await admin.ok(createLead, { body })).id);
      }
      const id = ids['change' in one ? one.change : 'remove' in one ? one.remove : -1];
      if (id === undefined) continue;
      const params = { leadId: id };
      if ('change' in one) await admin.ok(updateLead, { params, body: bodyOf(one.fields) });
      if ('remove' in one) {
        await admin.ok(deleteLead, { params });
        ids = ids.filter((other) => other !== id);
      }
    }
    await createNewerLeads(admin);
    const events = await newEvents();
    const disorder = [...events, ...events.filter(() => Number(numbers.next().value) < 30)]
      .map((event) => ({ event, at: Number(numbers.next().value) }))
      .sort((one, other) => one.at - other.at);
    await deliverEvents(disorder.map(({ event }) => event));

    const everyLead = await walk(admin, {});
    const isIn = (words: string, { firstName, lastName, company = '', notes = '', email = '' }: Lead) => {
      const all = `${firstName} ${lastName} ${company} ${notes} ${email}`;
      const terms = all
        .normalize('NFD')
        .replace(/[\u0300-\u036f']/g, '')
        .toLowerCase()
        .split(/[\s&@.-]+/);
      return words.split(' ').every((word) => terms.some((term) => term.startsWith(word)));
    };
    const cases: [object, (lead: Lead) => boolean][] = [
      ...[
        'ann',
        'anna',
        'jos nun',
        'nunez',
        'navy yard',
        'yard',
        'oneill',
        'smith jones',
        'harb',
        'zim',
        'call ann',
      ].map((words): [object, (lead: Lead) => boolean] => [{ search: words }, (lead) => isIn(words, lead)]),
      [{ search: '0134' }, ({ phone }) => phone?.endsWith('0134') === true],
      [{ search: 'strasse' }, (lead) => [lead.firstName, lead.lastName].includes('Straße')],
      [{ search: '商店' }, (lead) => [lead.firstName, lead.lastName].includes('田中商店')],
      [{ company: 'NAVY YARD ' }, ({ company }) => /^navy y[aá]rd$/i.test(company ?? '')],
      [{ email: 'ann.smith@example.org' }, ({ email }) => email?.toLowerCase() === 'ann.smith@example.org'],
      [
        { processStage: ['new', 'qualified'] },
        ({ processStage = '' }) => ['new', 'qualified'].includes(processStage),
      ],
      [{ assignedTo: vic.email }, ({ assignedTo }) => assignedTo === String(vic.id)],
      [{ assignedTo: 'none', search: 'ann' }, (lead) => !lead.assignedTo && isIn('ann', lead)],
      [
        { assignedTo: String(vic.id), processStage: 'contacted', archived: false },
        ({ assignedTo, processStage }) => assignedTo === String(vic.id) && processStage === 'contacted',
      ],
      [{ company: 'Yard', search: 'ann' }, (lead) => lead.company === 'Yard' && isIn('ann', lead)],
      ...['2026-02-01', '2026-02-10T00:00:00.000Z', '2099-01-01'].map(
        (lastContactedBefore): [object, (lead: Lead) => boolean] => [
          { lastContactedBefore },
          ({ lastContacted, createdAt }) => (lastContacted ?? createdAt) < lastContactedBefore,
        ],
      ),
      [
        { lastContactedBefore: '2026-02-20T08:30:00.000Z', search: 'ann', archived: false },
        (lead) => String(lead.lastContacted ?? '3') < '2026-02-20T08:30:00.000Z' && isIn('ann', lead),
      ],
    ];
    const times = everyLead.map(({ createdAt }) => createdAt);
    for (let ranges = 0; ranges < 3; ranges++) {
      const [createdTo = '', createdFrom = ''] = [0, 0]
        .map(() => times[Number(numbers.next().value) % times.length] ?? '')
        .sort()
        .reverse();
      const isFrom = ({ createdAt }: Lead) => createdAt >= createdFrom;
      const isTo = ({ createdAt }: Lead) => createdAt < createdTo;
      cases.push(
        [{ createdFrom }, isFrom],
        [{ createdTo }, isTo],
        [{ createdTo, archived: false }, isTo],
        [{ createdFrom, search: 'ann' }, (lead) => isFrom(lead) && isIn('ann', lead)],
      );
      if (createdFrom < createdTo)
        cases.push(
          [{ createdFrom, createdTo }, (lead) => isFrom(lead) && isTo(lead)],
          [
            { createdFrom, createdTo, lastContactedBefore: '2099-01-01', assignedTo: 'none' },
            (lead) => isFrom(lead) && isTo(lead) && !lead.assignedTo,
          ],
        );
    }
    for (const [query, matches] of cases) {
      const expected = everyLead.filter(matches).map(({ id }) => id);
      const shown = JSON.stringify(query);
      expect(
        (await walk(admin, query)).map(({ id }) => id),
        shown,
      ).toEqual(expected);
      const page = await admin.ok(listLeads, { query: { ...query, pageSize: 100 } });
      expect(page.data.map(({ id }) => id).sort(), shown).toEqual([...expected].sort());
      expect(page, shown).toMatchObject({ totalCount: expected.length });
      expect(page, shown).not.toHaveProperty('totalIsLowerBound');
      const sorted = await admin.ok(listLeads, { query: { ...query, sort: 'createdAt', pageSize: 100 } });
      expect(sorted.data.map(({ id }) => id).sort(), shown).toEqual([...expected].sort());
      const times = sorted.data.map(({ createdAt }) => createdAt);
      expect(times, shown).toEqual([...times].sort());
    }
    const none = await (await tenant()).admin.ok(listLeads, { query: { search: 'ann' } });
    expect(none.totalCount).toBe(0);
  });
});
